// ctype.h in the C locale: the functions, and the table that glibc's macros look into.

static int heddle_is_digit(int c) { return c >= '0' && c <= '9'; }
static int heddle_is_lower(int c) { return c >= 'a' && c <= 'z'; }
static int heddle_is_upper(int c) { return c >= 'A' && c <= 'Z'; }
static int heddle_is_alpha(int c) { return heddle_is_lower(c) || heddle_is_upper(c); }
static int heddle_is_graph(int c) { return c > 32 && c < 127; }

int isdigit(int c) { return heddle_is_digit(c); }
int islower(int c) { return heddle_is_lower(c); }
int isupper(int c) { return heddle_is_upper(c); }
int isalpha(int c) { return heddle_is_alpha(c); }
int isalnum(int c) { return heddle_is_alpha(c) || heddle_is_digit(c); }
int isxdigit(int c) {
  return heddle_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isgraph(int c) { return heddle_is_graph(c); }
int isprint(int c) { return c == ' ' || heddle_is_graph(c); }
int ispunct(int c) { return heddle_is_graph(c) && !heddle_is_alpha(c) && !heddle_is_digit(c); }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int isascii(int c) { return c >= 0 && c < 128; }
int toupper(int c) { return heddle_is_lower(c) ? c - 32 : c; }
int tolower(int c) { return heddle_is_upper(c) ? c + 32 : c; }

// The classes of the characters -128 to 255 as bits in glibc's order; the rest of the table is 0.
static const unsigned short heddle_character_classes[384] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    2, 2, 2, 2, 2, 24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
    49156, 49156, 49156, 49156, 49156, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304,
    55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 54536, 54536, 54536, 54536,
    54536, 54536, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
    50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 49156, 49156, 49156, 49156,
    49156, 49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 49156, 49156, 49156, 49156, 2,
};

static const unsigned short *heddle_character_table = heddle_character_classes + 128;

const unsigned short **__ctype_b_loc(void) { return &heddle_character_table; }
