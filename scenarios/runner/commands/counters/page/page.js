"use strict";
// Hides what is clicked in a legend, keeps panels whose title has the words that
// are asked for, and reads off the figures at the pointer.
(function () {
  const chart = document.querySelector("svg.chart");
  const reading = document.getElementById("reading");
  const words = document.getElementById("words");
  const marks = document.getElementById("show-marks");
  const off = new Set();

  function each(selector, action) {
    for (const element of chart.querySelectorAll(selector)) {
      action(element);
    }
  }

  function show() {
    const wanted = words.value.toLowerCase();
    each("[data-instance]", function (element) {
      element.classList.toggle("off", off.has(element.dataset.instance));
    });
    each(".panel", function (panel) {
      const title = panel.querySelector(".title").textContent.toLowerCase();
      panel.classList.toggle("off", !title.includes(wanted));
    });
    each("use.marks", function (use) {
      use.style.display = marks.checked ? "" : "none";
    });
  }

  // The point of a path that is nearest to x, as [x, y].
  function nearest(path, x) {
    let best = null;
    for (const pair of path.getAttribute("d").split(/[ML]/)) {
      const point = pair.split(",").map(Number);
      if (pair !== "" && (best === null || Math.abs(point[0] - x) < Math.abs(best[0] - x))) {
        best = point;
      }
    }
    return best;
  }

  function read(event) {
    const panel = event.target.closest(".panel");
    if (panel === null) {
      reading.textContent = "";
      return;
    }
    const at = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(panel.getScreenCTM().inverse());
    const width = Number(panel.dataset.width), height = Number(panel.dataset.height);
    const end = Number(panel.dataset.end);
    const low = Number(panel.dataset.low), high = Number(panel.dataset.high);
    const lines = [];
    for (const series of panel.querySelectorAll(".series:not(.off)")) {
      const path = series.querySelector("path");
      const point = path === null ? null : nearest(path, at.x);
      if (point !== null) {
        const time = point[0] / width * end;
        const value = low + (1 - point[1] / height) * (high - low);
        lines.push(time.toFixed(3) + " ms  " + series.dataset.instance + "  " +
          Number(value.toPrecision(4)) + panel.dataset.unit);
      }
    }
    reading.textContent = lines.slice(0, 16).join("\n");
  }

  each(".entry", function (entry) {
    entry.addEventListener("click", function () {
      const name = entry.dataset.instance;
      if (!off.delete(name)) {
        off.add(name);
      }
      show();
    });
  });
  words.addEventListener("input", show);
  marks.addEventListener("change", show);
  chart.addEventListener("mousemove", read);
  chart.addEventListener("mouseleave", function () { reading.textContent = ""; });
  show();
  document.documentElement.dataset.ready = String(chart.querySelectorAll(".series").length);
}());
