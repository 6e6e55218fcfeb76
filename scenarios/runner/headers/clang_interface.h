/* clang_interface.h - the part of libclang's C interface that is used here
 * (clang-c/Index.h, which promises that it stays as it is). Debian has that
 * header only in libclang-19-dev, with 300 MB of LLVM's archives; the library
 * itself comes with clang-19. */
#ifndef RUNNER_HEADERS_CLANG_INTERFACE_H
#define RUNNER_HEADERS_CLANG_INTERFACE_H

typedef void *CXIndex;
typedef void *CXTranslationUnit;
typedef void *CXDiagnostic;
typedef void *CXFile;
typedef void *CXClientData;

typedef struct {
    const void *data;
    unsigned private_flags;
} CXString;

typedef struct {
    const void *ptr_data[2];
    unsigned int_data;
} CXSourceLocation;

enum { CXTranslationUnit_SkipFunctionBodies = 0x40 };
enum { CXError_Success = 0 };
enum { CXDiagnostic_Error = 3 }; /* and above: fatal ones */

enum CXCursorKind {
    CXCursor_StructDecl = 2,
    CXCursor_UnionDecl = 3,
    CXCursor_TypedefDecl = 20
};

typedef struct {
    int kind; /* enum CXCursorKind, and others */
    int xdata;
    const void *data[3];
} CXCursor;

enum CXTypeKind {
    CXType_Bool = 3,
    CXType_Char_U = 4,
    CXType_UChar = 5,
    CXType_UShort = 8,
    CXType_UInt = 9,
    CXType_ULong = 10,
    CXType_ULongLong = 11,
    CXType_Char_S = 13,
    CXType_SChar = 14,
    CXType_WChar = 15,
    CXType_Short = 16,
    CXType_Int = 17,
    CXType_Long = 18,
    CXType_LongLong = 19,
    CXType_Float = 21,
    CXType_Double = 22,
    CXType_LongDouble = 23,
    CXType_Pointer = 101,
    CXType_Record = 105,
    CXType_Enum = 106,
    CXType_ConstantArray = 112,
    CXType_IncompleteArray = 114
};

typedef struct {
    int kind; /* enum CXTypeKind, and others */
    void *data[2];
} CXType;

struct CXUnsavedFile;

enum { CXChildVisit_Continue = 1 };
typedef int (*CXCursorVisitor)(
    CXCursor cursor, CXCursor parent, CXClientData data);

enum { CXVisit_Continue = 1 };
typedef int (*CXFieldVisitor)(CXCursor cursor, CXClientData data);

#endif
