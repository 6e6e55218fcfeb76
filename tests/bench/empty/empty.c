/* empty.c - a program that does nothing, against which others are measured. */
int main(void)
{
    return 0;
}
