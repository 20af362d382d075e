/* Check a certificate of Ostrya: a proof that no decision tree costs less than a bound.
 *
 *     cc -O3 -std=c11 -o ostrya-check ostrya_check.c
 *     ostrya-check problem.bin proof.ostrya
 *
 * A single file of C11 without dependencies, which shares no code with Ostrya. It
 * follows docs/reference/certificates.md, as the slower ostrya_check.py does. It exits
 * with 0 if every step of the proof holds, with 1 if one does not (the first is
 * reported), and with 2 if a file cannot be read or memory runs out.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef int64_t Int;
typedef uint64_t Word;

#define NO_LIMIT INT64_MAX
#define MOST_DEPTH 2000      /* nested claims, and nodes on a path of the tree */
#define MOST_DIVISIONS 10000 /* of states of boxes within each other */
#define MOST_BOUND ((Int)1 << 61)

static _Noreturn void refuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("REFUSED: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    exit(1);
}

static void require(bool holds, const char *otherwise) {
    if (!holds) refuse("%s", otherwise);
}

static void *checked(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return memory;
}

static void *allocate(size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / 2 / size) checked(NULL);
    return checked(calloc(count > 0 ? count : 1, size));
}

static Int least(Int a, Int b) { return a < b ? a : b; }
static Int most(Int a, Int b) { return a > b ? a : b; }

/* ------------------------------------------------------------------------- SHA-256 */

static uint32_t rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void sha256_block(uint32_t state[8], const uint8_t *block) {
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
        0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
        0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
        0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
        0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
        0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
        0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
        0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; ++i) {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    }
    for (int i = 16; i < 64; ++i) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; ++i) {
        uint32_t e = s[4], a = s[0];
        uint32_t x = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                     ((e & s[5]) ^ (~e & s[6])) + k[i] + w[i];
        uint32_t y = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                     ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += x;
        s[0] = x + y;
    }
    for (int i = 0; i < 8; ++i) state[i] += s[i];
}

static void sha256(const uint8_t *data, size_t size, uint8_t digest[32]) {
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint8_t tail[128] = {0};
    size_t at = 0;
    for (; at + 64 <= size; at += 64) sha256_block(state, data + at);
    memcpy(tail, data + at, size - at);
    tail[size - at] = 128;
    size_t length = size - at < 56 ? 64 : 128;
    for (int i = 0; i < 8; ++i) {
        tail[length - 1 - (size_t)i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    }
    for (size_t block = 0; block < length; block += 64) {
        sha256_block(state, tail + block);
    }
    for (int i = 0; i < 32; ++i) digest[i] = (uint8_t)(state[i / 4] >> (24 - i % 4 * 8));
}

/* ------------------------------------------------------------------------- DEFLATE */

typedef struct {
    uint16_t count[16], symbol[288];
} Huffman;

/* Unpacks one byte at a time, so that a small file cannot take up much memory. */
typedef struct {
    const uint8_t *at, *end;
    uint32_t bits;
    int n_bits;
    enum { NO_BLOCK, STORED, CODED } block;
    bool is_last;
    Huffman lengths, steps;
    size_t n_left, back; /* bytes left of a stored block or of a copy, from how far */
    size_t n_out;
    uint8_t window[1 << 15]; /* the bytes before */
} Inflater;

static void bad_data(void) { refuse("the proof cannot be unpacked"); }

static uint32_t take_bits(Inflater *in, int n) {
    while (in->n_bits < n) {
        if (in->at == in->end) bad_data();
        in->bits |= (uint32_t)*in->at++ << in->n_bits;
        in->n_bits += 8;
    }
    uint32_t value = in->bits & ((1u << n) - 1);
    in->bits >>= n;
    in->n_bits -= n;
    return value;
}

static void build_code(Huffman *code, const uint8_t *lengths, int n) {
    uint16_t offsets[16] = {0};
    memset(code->count, 0, sizeof code->count);
    for (int i = 0; i < n; ++i) ++code->count[lengths[i]];
    code->count[0] = 0;
    int left = 1;
    for (int length = 1; length < 16; ++length) {
        left = 2 * left - code->count[length];
        if (left < 0) bad_data();
        if (length < 15) {
            offsets[length + 1] = (uint16_t)(offsets[length] + code->count[length]);
        }
    }
    for (int i = 0; i < n; ++i) {
        if (lengths[i] != 0) code->symbol[offsets[lengths[i]]++] = (uint16_t)i;
    }
}

static int take_symbol(Inflater *in, const Huffman *code) {
    int value = 0, first = 0, index = 0;
    for (int length = 1; length < 16; ++length) {
        value |= (int)take_bits(in, 1);
        int count = code->count[length];
        if (value - count < first) return code->symbol[index + value - first];
        index += count;
        first = (first + count) << 1;
        value <<= 1;
    }
    bad_data();
    return 0;
}

static void read_codes(Inflater *in) {
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    int n_lengths = (int)take_bits(in, 5) + 257, n_steps = (int)take_bits(in, 5) + 1;
    int n_codes = (int)take_bits(in, 4) + 4;
    if (n_lengths > 286 || n_steps > 30) bad_data();
    uint8_t lengths[320] = {0};
    for (int i = 0; i < n_codes; ++i) lengths[order[i]] = (uint8_t)take_bits(in, 3);
    build_code(&in->lengths, lengths, 19);
    memset(lengths, 0, sizeof lengths);
    for (int i = 0; i < n_lengths + n_steps;) {
        int symbol = take_symbol(in, &in->lengths);
        if (symbol < 16) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16 && i == 0) bad_data();
        uint8_t again = symbol == 16 ? lengths[i - 1] : 0;
        int n = symbol == 16   ? 3 + (int)take_bits(in, 2)
                : symbol == 17 ? 3 + (int)take_bits(in, 3)
                               : 11 + (int)take_bits(in, 7);
        if (i + n > n_lengths + n_steps) bad_data();
        for (; n > 0; --n) lengths[i++] = again;
    }
    build_code(&in->lengths, lengths, n_lengths);
    build_code(&in->steps, lengths + n_lengths, n_steps);
}

static void fixed_codes(Inflater *in) {
    uint8_t lengths[288];
    for (int i = 0; i < 288; ++i) {
        lengths[i] = (uint8_t)(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    }
    build_code(&in->lengths, lengths, 288);
    for (int i = 0; i < 30; ++i) lengths[i] = 5;
    build_code(&in->steps, lengths, 30);
}

static void begin_block(Inflater *in) {
    in->is_last = take_bits(in, 1) == 1;
    uint32_t kind = take_bits(in, 2);
    in->block = kind == 0 ? STORED : CODED;
    if (kind == 1) fixed_codes(in);
    if (kind == 2) read_codes(in);
    if (kind == 3) bad_data();
    if (kind > 0) return;
    in->bits = 0;
    in->n_bits = 0;
    if (in->end - in->at < 4) bad_data();
    in->n_left = in->at[0] | (size_t)in->at[1] << 8;
    if ((in->n_left ^ (in->at[2] | (size_t)in->at[3] << 8)) != 0xffff) bad_data();
    in->at += 4;
}

/* Begin to copy bytes; false if a single one was read, or the block ends. */
static bool begin_copy(Inflater *in, int symbol) {
    static const uint16_t base[29] = {3,  4,  5,  6,  7,  8,  9,  10,  11,  13,
                                      15, 17, 19, 23, 27, 31, 35, 43,  51,  59,
                                      67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t far_base[30] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    if (symbol <= 256) return false;
    symbol -= 257;
    if (symbol >= 29) bad_data();
    in->n_left = base[symbol] + take_bits(in, extra[symbol]);
    int far = take_symbol(in, &in->steps);
    if (far >= 30) bad_data();
    in->back = far_base[far] + take_bits(in, far < 4 ? 0 : far / 2 - 1);
    if (in->back > in->n_out) bad_data();
    return true;
}

/* The next byte, or -1 at the end. */
static int unpack(Inflater *in) {
    static const size_t mask = sizeof in->window - 1;
    for (;;) {
        uint8_t byte;
        if (in->n_left > 0) {
            if (in->block == STORED && in->at == in->end) bad_data();
            byte = in->block == STORED ? *in->at++
                                       : in->window[(in->n_out - in->back) & mask];
            --in->n_left;
        } else if (in->block == CODED) {
            int symbol = take_symbol(in, &in->lengths);
            if (begin_copy(in, symbol)) continue;
            if (symbol == 256) {
                in->block = NO_BLOCK;
                continue;
            }
            byte = (uint8_t)symbol;
        } else {
            in->block = NO_BLOCK;
            if (in->is_last) {
                if (in->at != in->end) refuse("something follows the packed proof");
                return -1;
            }
            begin_block(in);
            continue;
        }
        in->window[in->n_out++ & mask] = byte;
        return byte;
    }
}

/* ------------------------------------------------------------------------- numbers */

/* Read from memory, or unpacked. */
typedef struct {
    const uint8_t *at, *end;
    Inflater *packed; /* or NULL */
    const char *name;
} Numbers;

static int next_byte(Numbers *from) {
    if (from->packed != NULL) return unpack(from->packed);
    return from->at == from->end ? -1 : *from->at++;
}

static Int next(Numbers *from) {
    Word value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
        int byte = next_byte(from);
        if (byte < 0) refuse("the %s ends too early", from->name);
        value |= (Word)(byte & 127) << shift;
        if (byte >= 128) continue;
        if (byte == 0 && shift > 0) refuse("extra bytes in the %s", from->name);
        return (Int)value;
    }
    refuse("a number in the %s is too large", from->name);
}

static void require_end(Numbers *from) {
    if (next_byte(from) >= 0) refuse("something follows the %s", from->name);
}

static Int next_signed(Numbers *from) {
    Int value = next(from);
    return value % 2 != 0 ? -(value / 2) - 1 : value / 2;
}

static Int next_below(Numbers *from, Int limit, const char *what) {
    Int value = next(from);
    if (value >= limit) refuse("%s %lld does not exist", what, (long long)value);
    return value;
}

/* --------------------------------------------------------------------- the problem */

typedef struct {
    Int n_groups, n_columns, n_labels;
    Int scale, penalty, max_depth, max_leaves, min_rows;
    Int *n_ranks;
    uint32_t *ranks; /* groups x columns */
    Int *rows;       /* of each group */
    Int *loss;       /* groups x labels */
} Problem;

static Problem read_problem(const uint8_t *data, size_t size) {
    static const char head[] = "ostrya problem 1\n";
    size_t n_head = sizeof head - 1;
    require(size >= n_head && memcmp(data, head, n_head) == 0,
            "this is not a problem file");
    Numbers from = {data + n_head, data + size, NULL, "problem file"};
    Problem p;
    p.n_groups = next(&from);
    p.n_columns = next(&from);
    p.n_labels = next(&from);
    require(p.n_groups > 0 && p.n_labels > 0, "the problem has no rows or no classes");
    /* Every number takes a byte at least, so no count below exceeds the file. */
    Int n_left = (Int)(size - n_head);
    if (n_left >= INT32_MAX) checked(NULL);
    require(p.n_groups <= n_left && p.n_columns <= n_left && p.n_labels <= n_left &&
                p.n_labels * p.n_labels <= n_left &&
                p.n_groups <= n_left / (p.n_columns + p.n_labels + 1) + 1,
            "the problem file ends too early");
    p.scale = next(&from);
    p.penalty = next(&from);
    Int depth = next(&from), leaves = next(&from);
    p.min_rows = next(&from);
    p.max_depth = depth > 0 ? depth - 1 : NO_LIMIT;
    p.max_leaves = leaves > 0 ? leaves : NO_LIMIT;
    require(p.scale >= 1 && p.penalty <= (Int)1 << 59,
            "scale or penalty is out of range");
    Int *costs = allocate((size_t)(p.n_labels * p.n_labels), sizeof *costs);
    for (Int i = 0; i < p.n_labels * p.n_labels; ++i) costs[i] = next(&from);
    p.n_ranks = allocate((size_t)p.n_columns, sizeof *p.n_ranks);
    for (Int c = 0; c < p.n_columns; ++c) {
        p.n_ranks[c] = next(&from);
        require(1 <= p.n_ranks[c] && p.n_ranks[c] <= p.n_groups,
                "a column has too many ranks");
    }
    p.ranks = allocate((size_t)(p.n_groups * p.n_columns), sizeof *p.ranks);
    p.rows = allocate((size_t)p.n_groups, sizeof *p.rows);
    p.loss = allocate((size_t)(p.n_groups * p.n_labels), sizeof *p.loss);
    __int128 dearest = 0, n_rows = 0;
    for (Int g = 0; g < p.n_groups; ++g) {
        uint32_t *ranks = p.ranks + g * p.n_columns;
        bool is_after = g == 0;
        for (Int c = 0; c < p.n_columns; ++c) {
            ranks[c] = (uint32_t)next_below(&from, p.n_ranks[c], "rank");
            uint32_t before = g > 0 ? ranks[c - p.n_columns] : 0;
            if (!is_after && ranks[c] < before) break;
            if (g > 0 && ranks[c] > before) is_after = true;
        }
        require(is_after, "the groups are not sorted");
        p.rows[g] = next(&from);
        require(p.rows[g] >= 1, "a group has no rows");
        n_rows += p.rows[g];
        require(n_rows <= (__int128)1 << 60, "there are too many rows");
        __int128 largest = 0;
        for (Int c = 0; c < p.n_labels; ++c) {
            Int weight = next(&from);
            for (Int k = 0; k < p.n_labels; ++k) {
                __int128 sum = (__int128)weight * costs[c * p.n_labels + k] +
                               p.loss[g * p.n_labels + k];
                require(sum <= (__int128)1 << 60, "the losses are too large");
                p.loss[g * p.n_labels + k] = (Int)sum;
            }
        }
        for (Int k = 0; k < p.n_labels; ++k) {
            if (p.loss[g * p.n_labels + k] > largest) {
                largest = p.loss[g * p.n_labels + k];
            }
        }
        dearest += largest;
        require(dearest * p.scale <= (__int128)1 << 60, "the losses are too large");
    }
    require_end(&from);
    free(costs);
    return p;
}

/* ----------------------------------------------------------------------- reduction */

static Problem problem;

/* The groups, columns and cuts that a proof is about. */
static Int n_groups, n_columns, n_cuts, n_cells, n_labels, base;
static uint32_t *cells;         /* groups x columns, numbered through */
static Int *loss;               /* above base, groups x labels */
static Int *potential, *n_rows; /* of each group */
static Int *first_cell;         /* of each column */
static Int *column_of_cut, *cell_of_cut;

typedef struct {
    uint32_t *ranks; /* remaining cuts below each group, groups x n_columns */
    Int *loss, *rows;
    Int n_groups, n_columns;
} Groups;

static const Groups *sorted; /* what `compare_groups` compares */

static int compare_groups(const void *a, const void *b) {
    Int x = *(const Int *)a, y = *(const Int *)b;
    const uint32_t *p = sorted->ranks + x * sorted->n_columns;
    const uint32_t *q = sorted->ranks + y * sorted->n_columns;
    for (Int c = 0; c < sorted->n_columns; ++c) {
        if (p[c] != q[c]) return p[c] < q[c] ? -1 : 1;
    }
    return x < y ? -1 : x > y;
}

static bool are_equal(const Groups *groups, Int x, Int y) {
    return memcmp(groups->ranks + x * groups->n_columns,
                  groups->ranks + y * groups->n_columns,
                  (size_t)groups->n_columns * sizeof *groups->ranks) == 0;
}

static Int span_of(const Int *losses, Int *smallest) {
    Int low = losses[0], high = losses[0];
    for (Int k = 1; k < n_labels; ++k) {
        low = least(low, losses[k]);
        high = most(high, losses[k]);
    }
    *smallest = low;
    return high - low;
}

/* Sort groups, and merge those that no cut separates. */
static void merge(Groups *groups) {
    Int *order = allocate((size_t)groups->n_groups, sizeof *order);
    for (Int g = 0; g < groups->n_groups; ++g) order[g] = g;
    sorted = groups;
    qsort(order, (size_t)groups->n_groups, sizeof *order, compare_groups);
    Groups out = {.n_columns = groups->n_columns};
    size_t n = (size_t)groups->n_groups, width = (size_t)groups->n_columns;
    out.ranks = allocate(n * width, sizeof *out.ranks);
    out.loss = allocate(n * (size_t)n_labels, sizeof *out.loss);
    out.rows = allocate(n, sizeof *out.rows);
    for (Int i = 0; i < groups->n_groups; ++i) {
        Int g = order[i];
        bool is_new = i == 0 || !are_equal(groups, order[i - 1], g);
        if (is_new) {
            memcpy(out.ranks + out.n_groups * out.n_columns,
                   groups->ranks + g * groups->n_columns, width * sizeof *out.ranks);
            ++out.n_groups;
        }
        Int to = out.n_groups - 1;
        out.rows[to] += groups->rows[g];
        for (Int k = 0; k < n_labels; ++k) {
            out.loss[to * n_labels + k] += groups->loss[g * n_labels + k];
        }
    }
    free(order);
    free(groups->ranks);
    free(groups->loss);
    free(groups->rows);
    *groups = out;
}

/* Drop the cuts of all columns whose sides have little potential; whether any were. */
static bool drop_cuts(Groups *groups, Int *n_ranks) {
    bool has_dropped = false;
    Int total = 0, unused;
    Int *of_group = allocate((size_t)groups->n_groups, sizeof *of_group);
    for (Int g = 0; g < groups->n_groups; ++g) {
        total += of_group[g] = span_of(groups->loss + g * n_labels, &unused);
    }
    for (Int c = 0; c < groups->n_columns; ++c) {
        Int *by_rank = allocate((size_t)n_ranks[c], sizeof *by_rank);
        uint32_t *renamed = allocate((size_t)n_ranks[c], sizeof *renamed);
        for (Int g = 0; g < groups->n_groups; ++g) {
            by_rank[groups->ranks[g * groups->n_columns + c]] += of_group[g];
        }
        Int yes = 0;
        uint32_t n_kept = 0;
        for (Int r = 0; r < n_ranks[c]; ++r) {
            renamed[r] = n_kept;
            yes += by_rank[r];
            if (r + 1 < n_ranks[c] &&
                problem.scale * least(yes, total - yes) > problem.penalty) {
                ++n_kept;
            }
        }
        if (n_kept + 1 < n_ranks[c]) {
            has_dropped = true;
            n_ranks[c] = n_kept + 1;
            for (Int g = 0; g < groups->n_groups; ++g) {
                uint32_t *rank = groups->ranks + g * groups->n_columns + c;
                *rank = renamed[*rank];
            }
        }
        free(by_rank);
        free(renamed);
    }
    free(of_group);
    return has_dropped;
}

/* Whether two columns part the groups alike. */
static bool part_alike(const Groups *groups, Int a, Int b, bool is_yes_no) {
    if (groups->n_groups == 0) return true;
    uint32_t turn = groups->ranks[a] ^ groups->ranks[b];
    if (turn != 0 && !is_yes_no) return false;
    for (Int g = 0; g < groups->n_groups; ++g) {
        const uint32_t *ranks = groups->ranks + g * groups->n_columns;
        if ((ranks[a] ^ ranks[b]) != turn) return false;
    }
    return true;
}

static Word hash_column(const Groups *groups, Int column) {
    Word hash = 0, turn = groups->n_groups > 0 ? groups->ranks[column] : 0;
    for (Int g = 0; g < groups->n_groups; ++g) {
        hash = (hash ^ groups->ranks[g * groups->n_columns + column] ^ turn) *
               0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static void reduce(void) {
    n_labels = problem.n_labels;
    Groups groups = {.n_groups = problem.n_groups, .n_columns = problem.n_columns};
    size_t n = (size_t)problem.n_groups, width = (size_t)problem.n_columns;
    groups.ranks = allocate(n * width, sizeof *groups.ranks);
    groups.loss = allocate(n * (size_t)n_labels, sizeof *groups.loss);
    groups.rows = allocate(n, sizeof *groups.rows);
    memcpy(groups.ranks, problem.ranks, n * width * sizeof *groups.ranks);
    memcpy(groups.loss, problem.loss, n * (size_t)n_labels * sizeof *groups.loss);
    memcpy(groups.rows, problem.rows, n * sizeof *groups.rows);
    Int *n_ranks = allocate(width, sizeof *n_ranks);
    memcpy(n_ranks, problem.n_ranks, width * sizeof *n_ranks);
    for (bool changes = true; changes;) {
        Int before = groups.n_groups;
        bool has_dropped = drop_cuts(&groups, n_ranks);
        merge(&groups);
        changes = has_dropped || groups.n_groups < before;
    }
    Int n_kept = 0, smallest;
    for (Int g = 0; g < groups.n_groups; ++g) {
        Int *losses = groups.loss + g * n_labels;
        Int span = span_of(losses, &smallest);
        base += smallest;
        if (span == 0 && problem.min_rows <= 1) continue;
        memmove(groups.ranks + n_kept * groups.n_columns,
                groups.ranks + g * groups.n_columns, width * sizeof *groups.ranks);
        for (Int k = 0; k < n_labels; ++k) {
            groups.loss[n_kept * n_labels + k] = losses[k] - smallest;
        }
        groups.rows[n_kept++] = groups.rows[g];
    }
    groups.n_groups = n_kept;
    Int *kept = allocate(width, sizeof *kept);
    Word *hashes = allocate(width, sizeof *hashes);
    for (Int c = 0; c < groups.n_columns; ++c) {
        bool is_new = n_ranks[c] > 1;
        Word hash = is_new ? hash_column(&groups, c) : 0;
        for (Int other = 0; other < n_columns && is_new; ++other) {
            Int o = kept[other];
            if (hashes[other] != hash && (n_ranks[c] == 2) == (n_ranks[o] == 2)) continue;
            is_new = !part_alike(&groups, o, c, n_ranks[c] == 2 && n_ranks[o] == 2);
        }
        if (!is_new) continue;
        hashes[n_columns] = hash;
        kept[n_columns++] = c;
    }
    n_groups = groups.n_groups;
    Groups slim = {.n_groups = n_groups, .n_columns = n_columns, .loss = groups.loss,
                   .rows = groups.rows};
    slim.ranks = allocate((size_t)(n_groups * n_columns), sizeof *slim.ranks);
    for (Int g = 0; g < n_groups; ++g) {
        for (Int c = 0; c < n_columns; ++c) {
            slim.ranks[g * n_columns + c] = groups.ranks[g * groups.n_columns + kept[c]];
        }
    }
    free(groups.ranks);
    merge(&slim); /* they differ: this sorts them */
    require(slim.n_groups == n_groups, "the reduction is inconsistent");
    first_cell = allocate((size_t)n_columns, sizeof *first_cell);
    for (Int c = 0; c < n_columns; ++c) {
        first_cell[c] = n_cells;
        n_cells += n_ranks[kept[c]];
        n_cuts += n_ranks[kept[c]] - 1;
    }
    column_of_cut = allocate((size_t)n_cuts, sizeof *column_of_cut);
    cell_of_cut = allocate((size_t)n_cuts, sizeof *cell_of_cut);
    Int cut = 0;
    for (Int c = 0; c < n_columns; ++c) {
        for (Int r = 0; r + 1 < n_ranks[kept[c]]; ++r, ++cut) {
            column_of_cut[cut] = c;
            cell_of_cut[cut] = first_cell[c] + r;
        }
    }
    cells = slim.ranks;
    loss = slim.loss;
    n_rows = slim.rows;
    potential = allocate((size_t)n_groups, sizeof *potential);
    for (Int g = 0; g < n_groups; ++g) {
        potential[g] = span_of(loss + g * n_labels, &smallest);
        for (Int c = 0; c < n_columns; ++c) {
            cells[g * n_columns + c] += (uint32_t)first_cell[c];
        }
    }
    free(n_ranks);
    free(kept);
    free(hashes);
}

static bool is_yes(Int group, Int cut) {
    return cells[group * n_columns + column_of_cut[cut]] <= cell_of_cut[cut];
}

/* ---------------------------------------------------------------------------- tree */

static Numbers proof;
static Int tree_loss, tree_leaves;

static void read_tree(Int *groups, Int n, Int depth) {
    Int kind = next(&proof);
    if (kind == 0) {
        Int label = next_below(&proof, n_labels, "label"), rows = 0;
        for (Int i = 0; i < n; ++i) {
            tree_loss += problem.loss[groups[i] * n_labels + label];
            rows += problem.rows[groups[i]];
        }
        require(depth == 0 || rows >= problem.min_rows,
                "a leaf of the tree has too few rows");
        ++tree_leaves;
        return;
    }
    if (kind > problem.n_columns) refuse("column %lld does not exist", (long long)kind - 1);
    Int column = kind - 1;
    Int cut = next_below(&proof, problem.n_ranks[column] - 1, "cut");
    require(depth < least(problem.max_depth, MOST_DEPTH), "the tree is too deep");
    Int n_yes = 0;
    for (Int i = 0; i < n; ++i) {
        if (problem.ranks[groups[i] * problem.n_columns + column] > cut) continue;
        Int group = groups[i];
        groups[i] = groups[n_yes];
        groups[n_yes++] = group;
    }
    read_tree(groups, n_yes, depth + 1);
    read_tree(groups + n_yes, n - n_yes, depth + 1);
}

/* --------------------------------------------------------------------- dual prices */

static bool has_prices;
static Int *price_of; /* of each group */
static Int price_shift;

static Int price_cost(Int paid) {
    if (price_shift < 0) return paid * ((Int)1 << -price_shift);
    Int unit = (Int)1 << price_shift;
    Int quotient = paid / unit;
    return quotient + (paid % unit > 0);
}

typedef struct {
    Int *least_first, *most_first, *least_last, *most_last; /* cells of each column */
    Int *worth;
    Int most, label, n_read;
} Boxes;

/* Check the boxes of a state: groups of its outer box, and how many sides of the inner
 * box each of them violates. */
static void check_state(Boxes *boxes, const uint32_t *outer, const uint32_t *outside,
                        Int n, Int level) {
    ++boxes->n_read;
    Int value = next(&proof);
    if (value == 0) {
        Int bound = 0;
        for (Int i = 0; i < n; ++i) {
            Int worth = boxes->worth[outer[i]];
            if (worth > 0 || outside[i] == 0) bound += worth;
        }
        if (bound > boxes->most) {
            refuse("a box under label %lld may be paid too much",
                   (long long)boxes->label);
        }
        return;
    }
    require(level < MOST_DIVISIONS, "states are divided too often");
    Int side = (value - 1) % 2, cut = (value - 1) / 2;
    if (cut >= n_cuts) refuse("cut %lld does not exist", (long long)cut);
    Int column = column_of_cut[cut], cell = cell_of_cut[cut];
    Int *low = side == 0 ? boxes->least_first : boxes->least_last;
    Int *high = side == 0 ? boxes->most_first : boxes->most_last;
    Int from = low[column], to = high[column];
    require(from <= cell && cell < to, "a state is divided where it has no boxes");
    uint32_t *groups = checked(malloc((size_t)(n + 1) * 2 * sizeof *groups));
    uint32_t *counts = groups + n + 1;
    for (int part = 0; part < 2; ++part) {
        /* The first part moves the inner box if a first cell is divided, and the
         * outer box if a last cell is; the second part does the opposite. */
        bool moves_inner = part == (int)side;
        Int n_kept = 0;
        for (Int i = 0; i < n; ++i) {
            Int here = cells[(Int)outer[i] * n_columns + column];
            if (moves_inner) {
                bool is_freed = side == 0 ? cell <= here && here < to
                                          : from < here && here <= cell + 1;
                groups[n_kept] = outer[i];
                counts[n_kept++] = outside[i] - is_freed;
            } else if (side == 0 ? here > cell : here <= cell) {
                groups[n_kept] = outer[i];
                counts[n_kept++] = outside[i];
            }
        }
        if (part == 0) high[column] = cell;
        if (part == 1) low[column] = cell + 1;
        check_state(boxes, groups, counts, n_kept, level + 1);
        low[column] = from;
        high[column] = to;
    }
    free(groups);
}

static void read_prices(void) {
    has_prices = next_below(&proof, 2, "number of price vectors") == 1;
    price_of = allocate((size_t)n_groups, sizeof *price_of);
    if (!has_prices) return;
    price_shift = next_signed(&proof);
    require(-62 <= price_shift && price_shift <= 30, "the unit of prices is out of range");
    Int paid = (Int)1 << most(-price_shift, 0), cost = (Int)1 << most(price_shift, 0);
    __int128 all_paid = 0, all_cost = 0;
    for (Int g = 0; g < n_groups; ++g) {
        price_of[g] = next_signed(&proof);
        all_paid += price_of[g] < 0 ? -(__int128)price_of[g] : price_of[g];
        all_cost += potential[g];
    }
    all_cost = all_cost * problem.scale + problem.penalty;
    require(all_paid <= MOST_BOUND / paid && all_cost <= MOST_BOUND / cost,
            "prices or costs are too large");
    Boxes boxes;
    size_t width = (size_t)n_columns;
    boxes.least_first = allocate(width, sizeof(Int));
    boxes.most_first = allocate(width, sizeof(Int));
    boxes.least_last = allocate(width, sizeof(Int));
    boxes.most_last = allocate(width, sizeof(Int));
    boxes.worth = allocate((size_t)n_groups, sizeof(Int));
    uint32_t *outer = allocate((size_t)n_groups, sizeof *outer);
    uint32_t *outside = allocate((size_t)n_groups, sizeof *outside);
    for (Int c = 0; c < n_columns; ++c) {
        Int end = c + 1 < n_columns ? first_cell[c + 1] : n_cells;
        boxes.least_first[c] = boxes.least_last[c] = first_cell[c];
        boxes.most_first[c] = boxes.most_last[c] = end - 1;
    }
    boxes.most = cost * problem.penalty;
    boxes.n_read = 0;
    for (Int g = 0; g < n_groups; ++g) {
        outer[g] = (uint32_t)g;
        for (Int c = 0; c < n_columns; ++c) {
            Int cell = cells[g * n_columns + c];
            outside[g] += cell > boxes.least_first[c] ? 1u : 0u;
            outside[g] += cell < boxes.most_first[c] ? 1u : 0u;
        }
    }
    for (Int label = 0; label < n_labels; ++label) {
        boxes.label = label;
        for (Int g = 0; g < n_groups; ++g) {
            boxes.worth[g] = paid * price_of[g] -
                             cost * problem.scale * loss[g * n_labels + label];
        }
        check_state(&boxes, outer, outside, n_groups, 0);
    }
    free(boxes.least_first);
    free(boxes.most_first);
    free(boxes.least_last);
    free(boxes.most_last);
    free(boxes.worth);
    free(outer);
    free(outside);
}

/* -------------------------------------------------------------------------- claims */

typedef struct {
    Int depth, leaves;
} Limits;

static Limits child_of(Limits limits) {
    return (Limits){limits.depth == NO_LIMIT ? NO_LIMIT : limits.depth - 1,
                    limits.leaves == NO_LIMIT ? NO_LIMIT : limits.leaves - 1};
}

typedef struct {
    Int parent, bound;
    Limits limits;
    uint32_t cut;
    bool is_yes, is_complete;
} Claim;

static Claim *claims;
static Int n_claims, room_for_claims;

/* A set of groups, as a list and as bits. */
typedef struct {
    uint32_t *list;
    Int n;
    Word *bits;
} Set;

/* What a look at one usable cut shows. */
typedef struct {
    Int yes_leaf, no_leaf, yes_price, no_price, potential;
    Int yes, no; /* lower bounds so far */
    uint32_t cut;
    bool is_settled;
} Cut;

typedef struct {
    Cut *cuts; /* usable ones, in order */
    Int n, leaf, price;
    Int *place; /* of each cut among them, or -1 */
} Look;

static Int n_words, n_slots;
static bool is_packed;
static Word *packed, *packed_sums; /* of groups; of cells */
static Int *slots, *sums;          /* groups x slots; cells x slots */
static Int *paid_sums; /* of cells: prices */
static Int *yes_sums, *total_sums;
static Word *sides; /* cuts x words: groups on the yes side; NULL if too large */

/* The losses of groups bit by bit, label 0 first: sums over bits are counts. */
static Word *planes; /* planes x words */
static Int n_planes, n_low_planes;
static Word *masked;    /* planes x words of a set that has any */
static Int *word_at;    /* which words these are */

static Int leaf_cost(Int losses) { return problem.scale * losses + problem.penalty; }

static Int smallest_of(const Int *losses) {
    Int out = losses[0];
    for (Int k = 1; k < n_labels; ++k) out = least(out, losses[k]);
    return out;
}

static void prepare_planes(void) {
    Int widths[2] = {0, 0};
    for (Int g = 0; g < n_groups; ++g) {
        for (int k = 0; k < 2; ++k) {
            while (loss[2 * g + k] >> widths[k] > 0) ++widths[k];
        }
    }
    n_low_planes = widths[0];
    n_planes = widths[0] + widths[1];
    planes = allocate((size_t)(n_planes * n_words), sizeof *planes);
    masked = allocate((size_t)(n_planes * n_words), sizeof *masked);
    word_at = allocate((size_t)n_words, sizeof *word_at);
    for (Int g = 0; g < n_groups; ++g) {
        for (Int plane = 0; plane < n_planes; ++plane) {
            bool is_low = plane < n_low_planes;
            Int bit = is_low ? plane : plane - n_low_planes;
            Word is_set = (Word)(loss[2 * g + !is_low] >> bit) & 1;
            planes[plane * n_words + g / 64] |= is_set << g % 64;
        }
    }
}

/* Slots after the losses: potential, rows, groups, price. */
static void prepare_sums(void) {
    n_words = (n_groups + 63) / 64;
    n_slots = n_labels + 4;
    Int all = 0;
    for (Int g = 0; g < n_groups; ++g) all += potential[g];
    is_packed = n_labels == 2 && problem.min_rows <= 1 && all < (Int)1 << 31;
    if (is_packed) {
        packed = allocate((size_t)n_groups, sizeof *packed);
        packed_sums = allocate((size_t)n_cells, sizeof *packed_sums);
        paid_sums = allocate((size_t)n_cells, sizeof *paid_sums);
        for (Int g = 0; g < n_groups; ++g) {
            packed[g] = (Word)loss[2 * g] | (Word)loss[2 * g + 1] << 32;
        }
    } else {
        slots = allocate((size_t)(n_groups * n_slots), sizeof *slots);
        sums = allocate((size_t)(n_cells * n_slots), sizeof *sums);
        yes_sums = allocate((size_t)n_slots, sizeof *yes_sums);
        total_sums = allocate((size_t)n_slots, sizeof *total_sums);
        for (Int g = 0; g < n_groups; ++g) {
            Int *to = slots + g * n_slots;
            memcpy(to, loss + g * n_labels, (size_t)n_labels * sizeof *to);
            to[n_labels] = potential[g];
            to[n_labels + 1] = n_rows[g];
            to[n_labels + 2] = 1;
            to[n_labels + 3] = price_of[g];
        }
    }
    if (n_cuts * n_words <= (Int)1 << 27) {
        sides = allocate((size_t)(n_cuts * n_words), sizeof *sides);
        for (Int cut = 0; cut < n_cuts; ++cut) {
            for (Int g = 0; g < n_groups; ++g) {
                sides[cut * n_words + g / 64] |= (Word)is_yes(g, cut) << g % 64;
            }
        }
        if (is_packed) prepare_planes();
    }
}

#define SUM_SIDES(name)                                                          \
    static void name(Int n_used) {                                               \
        for (Int cut = 0; cut < n_cuts; ++cut) {                                 \
            const Word *side = sides + cut * n_words;                            \
            Word sum = 0;                                                        \
            for (Int plane = 0; plane < n_planes; ++plane) {                     \
                const Word *bits = masked + plane * n_words;                     \
                Word count = 0;                                                  \
                for (Int i = 0; i < n_used; ++i) {                               \
                    count += (Word)__builtin_popcountll(bits[i] & side[word_at[i]]); \
                }                                                                \
                sum += plane < n_low_planes ? count << plane                     \
                                            : count << (32 + plane - n_low_planes); \
            }                                                                    \
            packed_sums[cell_of_cut[cut]] = sum;                                 \
        }                                                                        \
    }

SUM_SIDES(sum_sides_anywhere)
#if defined(__x86_64__)
__attribute__((target("popcnt"))) SUM_SIDES(sum_sides_popcnt)
#endif

/* Sums of a set by cell from its bits, if that takes less than its list: false if not. */
static bool sum_bits(const Set *set) {
    if (sides == NULL || n_planes == 0) return false;
    Int n_used = 0;
    for (Int w = 0; w < n_words; ++w) n_used += set->bits[w] != 0;
    if (n_cuts * n_planes * n_used > set->n * n_columns + n_cells) return false;
    n_used = 0;
    for (Int w = 0; w < n_words; ++w) {
        if (set->bits[w] == 0) continue;
        for (Int plane = 0; plane < n_planes; ++plane) {
            masked[plane * n_words + n_used] = set->bits[w] & planes[plane * n_words + w];
        }
        word_at[n_used++] = w;
    }
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt")) {
        sum_sides_popcnt(n_used);
    } else {
        sum_sides_anywhere(n_used);
    }
#else
    sum_sides_anywhere(n_used);
#endif
    for (Int cut = n_cuts - 1; cut > 0; --cut) { /* sides of cuts become cells */
        if (column_of_cut[cut - 1] != column_of_cut[cut]) continue;
        packed_sums[cell_of_cut[cut]] -= packed_sums[cell_of_cut[cut] - 1];
    }
    return true;
}

/* Look at all cuts: list the usable ones if `out` has room for them, and keep the least
 * of what `scan` needs. */
typedef struct {
    Int leaf, price, two, cell;
} Least;

static Least look_packed(const Set *set, Look *out) {
    Word total = 0;
    for (Int i = 0; i < set->n; ++i) total += packed[set->list[i]];
    if (!sum_bits(set)) {
        memset(packed_sums, 0, (size_t)n_cells * sizeof *packed_sums);
        for (Int i = 0; i < set->n; ++i) {
            Int g = set->list[i];
            const uint32_t *at = cells + g * n_columns;
            Word add = packed[g];
            for (Int c = 0; c < n_columns; ++c) packed_sums[at[c]] += add;
        }
    }
    Int paid = 0, yes_paid = 0;
    bool sums_prices = has_prices && out != NULL;
    if (sums_prices) {
        memset(paid_sums, 0, (size_t)n_cells * sizeof *paid_sums);
        for (Int i = 0; i < set->n; ++i) {
            Int g = set->list[i], add = price_of[g];
            const uint32_t *at = cells + g * n_columns;
            paid += add;
            for (Int c = 0; c < n_columns; ++c) paid_sums[at[c]] += add;
        }
    }
    Int a = (Int)(total & 0xffffffffu), b = (Int)(total >> 32);
    Int floor = problem.penalty / problem.scale;
    Least seen = {leaf_cost(least(a, b)), price_cost(paid), INT64_MAX, INT64_MAX};
    Int cut = 0, two = INT64_MAX, cell = INT64_MAX;
    const Word *here = packed_sums;
    for (Int c = 0; c < n_columns; ++c) {
        Int end = c + 1 < n_columns ? first_cell[c + 1] : n_cells;
        Word yes = 0;
        yes_paid = 0;
        for (Int n = end - first_cell[c] - 1; n > 0; --n, ++here, ++cut) {
            if (*here == 0) continue;
            if (sums_prices) yes_paid += paid_sums[here - packed_sums];
            yes += *here;
            Int ya = (Int)(yes & 0xffffffffu), yb = (Int)(yes >> 32);
            Int na = a - ya, nb = b - yb;
            if (ya + yb <= floor || na + nb <= floor) continue;
            Int y = least(ya, yb), z = least(na, nb);
            two = least(two, y + z);
            cell = least(cell, least(y, z));
            if (out == NULL) continue;
            out->place[cut] = out->n;
            out->cuts[out->n++] =
                (Cut){.yes_leaf = leaf_cost(y), .no_leaf = leaf_cost(z),
                      .yes_price = price_cost(yes_paid),
                      .no_price = price_cost(paid - yes_paid), .potential = ya + yb,
                      .cut = (uint32_t)cut};
        }
        ++here;
    }
    if (two < INT64_MAX) {
        seen.two = problem.scale * two + 2 * problem.penalty;
        seen.cell = problem.scale * cell;
    }
    return seen;
}

static Least look_general(const Set *set, Look *out) {
    memset(sums, 0, (size_t)(n_cells * n_slots) * sizeof *sums);
    memset(total_sums, 0, (size_t)n_slots * sizeof *total_sums);
    for (Int i = 0; i < set->n; ++i) {
        Int g = set->list[i];
        const Int *add = slots + g * n_slots;
        for (Int s = 0; s < n_slots; ++s) total_sums[s] += add[s];
        for (Int c = 0; c < n_columns; ++c) {
            Int *to = sums + (Int)cells[g * n_columns + c] * n_slots;
            for (Int s = 0; s < n_slots; ++s) to[s] += add[s];
        }
    }
    Int floor = problem.penalty / problem.scale, k = n_labels;
    const Int *total = total_sums;
    Least seen = {leaf_cost(smallest_of(total)), price_cost(total[k + 3]), INT64_MAX,
                  INT64_MAX};
    Int cut = 0;
    const Int *here = sums;
    Int *no = allocate((size_t)n_slots, sizeof *no);
    for (Int c = 0; c < n_columns; ++c) {
        Int end = c + 1 < n_columns ? first_cell[c + 1] : n_cells;
        memset(yes_sums, 0, (size_t)n_slots * sizeof *yes_sums);
        for (Int n = end - first_cell[c] - 1; n > 0; --n, here += n_slots, ++cut) {
            if (here[k + 2] == 0) continue;
            for (Int s = 0; s < n_slots; ++s) {
                yes_sums[s] += here[s];
                no[s] = total[s] - yes_sums[s];
            }
            if (yes_sums[k] <= floor || no[k] <= floor ||
                yes_sums[k + 1] < problem.min_rows || no[k + 1] < problem.min_rows) {
                continue;
            }
            Int y = smallest_of(yes_sums), z = smallest_of(no);
            seen.two = least(seen.two, leaf_cost(y) + leaf_cost(z));
            seen.cell = least(seen.cell, problem.scale * least(y, z));
            if (out == NULL) continue;
            out->place[cut] = out->n;
            out->cuts[out->n++] =
                (Cut){.yes_leaf = leaf_cost(y), .no_leaf = leaf_cost(z),
                      .yes_price = price_cost(yes_sums[k + 3]),
                      .no_price = price_cost(no[k + 3]), .potential = yes_sums[k],
                      .cut = (uint32_t)cut};
        }
        here += n_slots;
    }
    free(no);
    return seen;
}

static Least look_at(const Set *set, Look *out) {
    return is_packed ? look_packed(set, out) : look_general(set, out);
}

static Int simple(Int leaf, Int price, Limits limits) {
    if (limits.depth == 0 || limits.leaves == 1) return leaf;
    Int bound = least(leaf, 2 * problem.penalty);
    return has_prices ? most(bound, price) : bound;
}

static Int scan(const Set *set, Limits limits) {
    Least seen = look_at(set, NULL);
    if (limits.depth == 0 || limits.leaves == 1 || seen.two == INT64_MAX) return seen.leaf;
    Int exact = least(seen.leaf, seen.two);
    if (limits.depth == 1 || limits.leaves == 2) return exact;
    return least(exact, least(3 * problem.penalty + seen.cell, 4 * problem.penalty));
}

/* Keep the groups on one side of a cut. */
static void restrict_bits(Word *bits, Int cut, bool yes) {
    if (sides != NULL) {
        const Word *side = sides + cut * n_words, turn = yes ? 0 : ~(Word)0;
        for (Int w = 0; w < n_words; ++w) bits[w] &= side[w] ^ turn;
        return;
    }
    for (Int w = 0; w < n_words; ++w) {
        for (Word left = bits[w]; left != 0; left &= left - 1) {
            Int bit = 0;
            for (Word rest = left & -left; rest >>= 1;) ++bit;
            if (is_yes(64 * w + bit, cut) != yes) bits[w] &= ~((Word)1 << bit);
        }
    }
}

typedef struct {
    Set yes, no;
} TwoSides;

static TwoSides split(const Set *set, Int cut) {
    TwoSides out = {.yes = {.n = 0}, .no = {.n = 0}};
    out.yes.list = checked(malloc(2 * (size_t)set->n * sizeof(uint32_t) + 8));
    out.yes.bits = checked(malloc(2 * (size_t)n_words * sizeof(Word) + 8));
    out.no.list = out.yes.list + set->n;
    out.no.bits = out.yes.bits + n_words;
    for (Int i = 0; i < set->n; ++i) {
        uint32_t g = set->list[i];
        bool side = is_yes(g, cut);
        out.yes.list[out.yes.n] = g;
        out.no.list[out.no.n] = g;
        out.yes.n += side;
        out.no.n += !side;
    }
    memcpy(out.yes.bits, set->bits, (size_t)n_words * sizeof(Word));
    memcpy(out.no.bits, set->bits, (size_t)n_words * sizeof(Word));
    restrict_bits(out.yes.bits, cut, true);
    restrict_bits(out.no.bits, cut, false);
    return out;
}

static void release(TwoSides *of) {
    free(of->yes.list);
    free(of->yes.bits);
}

static void all_groups(Word *bits) {
    for (Int w = 0; w < n_words; ++w) bits[w] = ~(Word)0;
    if (n_groups % 64 != 0) bits[n_words - 1] = ((Word)1 << n_groups % 64) - 1;
}

/* What a reference shows about a set of groups. */
static Int referred(const Set *set, Limits limits) {
    Int back = next(&proof);
    require(1 <= back && back <= n_claims, "a reference leads nowhere");
    const Claim *claim = claims + (n_claims - back);
    require(claim->is_complete, "a reference to a claim that is not complete");
    require(claim->limits.depth >= limits.depth && claim->limits.leaves >= limits.leaves,
            "a reference to a claim under tighter limits");
    static Word *bits;
    if (bits == NULL) bits = allocate((size_t)n_words, sizeof *bits);
    all_groups(bits);
    for (const Claim *at = claim; at->parent >= 0; at = claims + at->parent) {
        restrict_bits(bits, at->cut, at->is_yes);
    }
    Int missing = 0;
    for (Int w = 0; w < n_words; ++w) {
        if (problem.min_rows > 1 && bits[w] != set->bits[w]) {
            refuse("a reference to other groups, although leaves need several rows");
        }
        Word others = bits[w] & ~set->bits[w];
        for (Int g = 64 * w; others != 0; ++g, others >>= 1) {
            if (others & 1) missing += potential[g];
        }
    }
    return claim->bound - problem.scale * missing;
}

static Limits reach_of(Limits limits, Int bound) {
    if (problem.penalty == 0) return limits;
    /* Rounded up, for bounds of either sign. */
    Int quotient = bound / problem.penalty + (bound % problem.penalty > 0);
    if (limits.depth >= quotient - 2) limits.depth = NO_LIMIT;
    if (limits.leaves >= quotient - 1) limits.leaves = NO_LIMIT;
    return limits;
}

static void check_claim(const Set *set, Limits limits, Int bound, Int parent, Int cut,
                        bool yes, Int level);

/* The evidence for one side of a cut: the bound that it shows. */
static Int evidence(Int kind, const Set *set, Limits limits, Int shown, Int needed,
                    Int parent, Int cut, bool yes, Int level) {
    if (kind == 0) return shown;
    if (kind == 1) return most(shown, scan(set, limits));
    if (kind == 2) return most(shown, referred(set, limits));
    __int128 sum = (__int128)needed + next_signed(&proof);
    require(-MOST_BOUND <= sum && sum <= MOST_BOUND, "a bound is out of range");
    Int bound = (Int)sum;
    check_claim(set, limits, bound, parent, cut, yes, level + 1);
    return most(shown, bound);
}

typedef struct {
    Int yes, no;
} Both;

static Both both_sides(Int kind, const Cut *at, const Set *set, Int bound, Limits yes_limits,
                       Limits no_limits, Int number, Int level) {
    if (kind >= 16) refuse("evidence of kind %lld does not exist", (long long)kind);
    TwoSides sides_of = split(set, at->cut);
    Int yes_simple = simple(at->yes_leaf, at->yes_price, yes_limits);
    Int no_simple = simple(at->no_leaf, at->no_price, no_limits);
    Both out;
    out.yes = evidence(kind / 4, &sides_of.yes, yes_limits, yes_simple, bound - no_simple,
                       number, at->cut, true, level);
    out.no = evidence(kind % 4, &sides_of.no, no_limits, no_simple, bound - out.yes, number,
                      at->cut, false, level);
    release(&sides_of);
    return out;
}

static void check_same(const Set *set, const Look *look, Int cut, Int number) {
    Int other = cut - next(&proof);
    if (other < 0 || other >= cut || look->place[other] < 0) {
        refuse("a cut is compared with one that is not usable");
    }
    bool turn = is_yes(set->list[0], cut) != is_yes(set->list[0], other);
    for (Int i = 1; i < set->n; ++i) {
        if ((is_yes(set->list[i], cut) != is_yes(set->list[i], other)) != turn) {
            refuse("claim %lld: cuts %lld and %lld do not part alike", (long long)number,
                   (long long)other, (long long)cut);
        }
    }
}

/* Carry bounds between the usable cuts from `begin` to `end`, of one column. */
static void carry(Look *look, Int begin, Int end) {
    for (Int i = begin + 1; i < end; ++i) {
        Cut *before = look->cuts + i - 1, *here = look->cuts + i;
        Int between = problem.scale * (here->potential - before->potential);
        here->yes = most(here->yes, before->yes);
        here->no = most(here->no, before->no - between);
    }
    for (Int i = end - 1; i > begin; --i) {
        Cut *here = look->cuts + i - 1, *after = look->cuts + i;
        Int between = problem.scale * (after->potential - here->potential);
        here->yes = most(here->yes, after->yes - between);
        here->no = most(here->no, after->no);
    }
}

/* The end of the usable cuts of a column that begin at one. */
static Int end_of_column(const Look *look, Int begin) {
    Int end = begin + 1;
    while (end < look->n &&
           column_of_cut[look->cuts[end].cut] == column_of_cut[look->cuts[begin].cut]) {
        ++end;
    }
    return end;
}

static bool is_open(const Cut *at, Int bound) {
    return !at->is_settled && at->yes + at->no < bound;
}

/* ---- scans of both sides of many cuts ----
 *
 * Where each side has at most two leaves, its scan is the least loss of the side as a
 * leaf and as two leaves on the sides of any cut: cuts that are not usable on the side
 * cost no less than the leaf. Two faster ways then take the place of `scan`: bits of
 * the groups are counted for all pairs of cuts, or cuts in the middle of a column are
 * scanned and their bounds carried to the others, which exact bounds allow. */

/* Bits of the groups of a set for its usable cuts, those that are open first. */
typedef struct {
    Int n, n_open, n_words;
    Int *at;                        /* which usable cut each is */
    Word *yes_bits;                 /* words x cuts */
    Word *planes, *on_side;         /* planes x words: of all groups, of a yes side */
    Int *yes_a, *yes_b;             /* losses over each yes side, by label */
    Int *both_a, *both_b;           /* the same of two yes sides */
    Int *two_yes, *two_no;          /* least losses of two leaves on each side */
    Int all_a, all_b;
} Pairs;

/* Add up the losses of some groups on the yes side of each cut from `begin` on. Losses
 * are sums over bits, which compilers count for several cuts at once. */
#define SUM_PLANES(name)                                                              \
    static void name(Pairs *p, const Word *of, Int begin, Int *sum_a, Int *sum_b) {   \
        Int n = p->n, n_used = p->n_words;                                            \
        memset(sum_a + begin, 0, (size_t)(n - begin) * sizeof *sum_a);                \
        memset(sum_b + begin, 0, (size_t)(n - begin) * sizeof *sum_b);                \
        for (Int plane = 0; plane < n_planes; ++plane) {                              \
            Int *restrict to = plane < n_low_planes ? sum_a : sum_b;                  \
            Int bit = plane < n_low_planes ? plane : plane - n_low_planes;            \
            for (Int w = 0; w < n_used; ++w) {                                        \
                Word here = of[plane * n_used + w];                                   \
                const Word *restrict yes = p->yes_bits + w * n;                       \
                if (here == 0) continue;                                              \
                for (Int j = begin; j < n; ++j) {                                     \
                    to[j] += (Int)__builtin_popcountll(here & yes[j]) << bit;         \
                }                                                                     \
            }                                                                         \
        }                                                                             \
    }                                                                                 \
    /* Split both sides of cut i by itself and all later cuts, and theirs by cut i. */\
    static void name##_with(Pairs *p, Int i) {                                        \
        name(p, p->on_side, i, p->both_a, p->both_b);                                 \
        Int n = p->n, yes_a = p->yes_a[i], yes_b = p->yes_b[i];                       \
        Int no_a = p->all_a - yes_a, no_b = p->all_b - yes_b;                         \
        Int two_yes = p->two_yes[i], two_no = p->two_no[i];                           \
        for (Int j = i; j < n; ++j) {                                                 \
            Int a = p->both_a[j], b = p->both_b[j];                                   \
            Int ja = p->yes_a[j] - a, jb = p->yes_b[j] - b;                           \
            Int yes_yes = least(a, b), yes_no = least(yes_a - a, yes_b - b);          \
            Int no_yes = least(ja, jb), no_no = least(no_a - ja, no_b - jb);          \
            two_yes = least(two_yes, yes_yes + yes_no);                               \
            two_no = least(two_no, no_yes + no_no);                                   \
            p->two_yes[j] = least(p->two_yes[j], yes_yes + no_yes);                   \
            p->two_no[j] = least(p->two_no[j], yes_no + no_no);                       \
        }                                                                             \
        p->two_yes[i] = two_yes;                                                      \
        p->two_no[i] = two_no;                                                        \
    }

SUM_PLANES(sum_anywhere)

#if defined(__x86_64__)
static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}
#endif

/* Keep the bits of groups that are in a set, word by word, in as few words as possible
 * where the processor can. */
#define LIST_BITS(name, extract, count)                                               \
    static Int name(const Set *set, const Look *look, Pairs *p) {                     \
        Int n = p->n, end = 0;                                                        \
        for (Int w = 0; w < n_words; ++w) {                                           \
            Word mask = set->bits[w];                                                 \
            if (mask == 0) continue;                                                  \
            Int n_bits = count, shift = end % 64;                                     \
            Word *to = p->yes_bits + end / 64 * n;                                    \
            bool spills = shift + n_bits > 64;                                        \
            for (Int j = 0; j < n; ++j) {                                             \
                Word of = sides[(Int)look->cuts[p->at[j]].cut * n_words + w];         \
                Word bits = extract(of, mask);                                        \
                to[j] |= bits << shift;                                               \
                if (spills) to[n + j] |= bits >> (64 - shift);                        \
            }                                                                         \
            for (Int plane = 0; plane < n_planes; ++plane) {                          \
                Word bits = extract(planes[plane * n_words + w], mask);               \
                Word *of = p->planes + plane * p->n_words + end / 64;                 \
                of[0] |= bits << shift;                                               \
                if (spills) of[1] |= bits >> (64 - shift);                            \
            }                                                                         \
            end += n_bits;                                                            \
        }                                                                             \
        return (end + 63) / 64;                                                       \
    }

static Word mask_bits(Word bits, Word mask) { return bits & mask; }

LIST_BITS(list_bits_anywhere, mask_bits, 64)
#if defined(__x86_64__)
__attribute__((target("bmi2,popcnt")))
LIST_BITS(list_bits_bmi2, _pext_u64, __builtin_popcountll(mask))
__attribute__((target("popcnt"))) SUM_PLANES(sum_popcnt)
__attribute__((target("avx512f,avx512vl,avx512dq,avx512vpopcntdq"))) SUM_PLANES(sum_avx512)
#endif

/* Scan both sides of all open cuts. */
static void count_pairs(const Set *set, Look *look, Int bound) {
    void (*sum)(Pairs *, const Word *, Int, Int *, Int *) = sum_anywhere;
    void (*split_with)(Pairs *, Int) = sum_anywhere_with;
    Int (*list_bits)(const Set *, const Look *, Pairs *) = list_bits_anywhere;
#if defined(__x86_64__)
    if (has_avx512()) {
        sum = sum_avx512;
        split_with = sum_avx512_with;
    } else if (__builtin_cpu_supports("popcnt")) {
        sum = sum_popcnt;
        split_with = sum_popcnt_with;
    }
    if (__builtin_cpu_supports("bmi2")) list_bits = list_bits_bmi2;
#endif
    Pairs p = {.n = look->n};
    Int n = p.n;
    p.n_words = list_bits == list_bits_anywhere ? n_words : (set->n + 63) / 64;
    Int of_planes = n_planes * p.n_words;
    Word *words = allocate((size_t)(n * p.n_words + 2 * of_planes), sizeof *words);
    p.yes_bits = words;
    p.planes = words + n * p.n_words;
    p.on_side = p.planes + of_planes;
    Int *numbers = allocate((size_t)(7 * n), sizeof *numbers);
    Int **parts[] = {&p.at,     &p.yes_a,   &p.yes_b, &p.both_a,
                     &p.both_b, &p.two_yes, &p.two_no};
    for (int i = 0; i < 7; ++i) *parts[i] = numbers + i * n;
    for (int turn = 0, to = 0; turn < 2; ++turn) {
        for (Int i = 0; i < n; ++i) {
            if (is_open(look->cuts + i, bound) == (turn == 0)) p.at[to++] = i;
        }
        if (turn == 0) p.n_open = to;
    }
    list_bits(set, look, &p);
    for (Int i = 0; i < set->n; ++i) {
        p.all_a += (Int)(packed[set->list[i]] & 0xffffffffu);
        p.all_b += (Int)(packed[set->list[i]] >> 32);
    }
    sum(&p, p.planes, 0, p.yes_a, p.yes_b);
    for (Int i = 0; i < n; ++i) p.two_yes[i] = p.two_no[i] = INT64_MAX;
    for (Int i = 0; i < p.n_open; ++i) {
        for (Int word = 0; word < of_planes; ++word) {
            p.on_side[word] = p.planes[word] & p.yes_bits[word % p.n_words * n + i];
        }
        split_with(&p, i);
        Cut *at = look->cuts + p.at[i];
        Int pair = 2 * problem.penalty;
        at->yes = most(at->yes, least(at->yes_leaf, problem.scale * p.two_yes[i] + pair));
        at->no = most(at->no, least(at->no_leaf, problem.scale * p.two_no[i] + pair));
        if (is_open(at, bound)) break; /* it stays open */
    }
    free(words);
    free(numbers);
}

/* The groups of a set by the usable cuts around them: in each column that has such cuts,
 * cells between them are numbered through. */
typedef struct {
    Int n_columns, n_cells;
    uint32_t *cells;     /* groups x columns */
    Int *column_of;      /* of each usable cut, among these columns */
    Int *cell_of;        /* of each usable cut: the last on its yes side */
    Word *sums, *yes;    /* of each cell: of the set up to it, and of a side there */
    Word all, *losses;   /* of the set, and of each of its groups */
    bool *ends;          /* whether a cell is the last of its column */
} Cells;

static Cells list_cells(const Set *set, const Look *look) {
    Cells c = {.n_columns = 0, .n_cells = 0};
    c.column_of = allocate((size_t)look->n, sizeof *c.column_of);
    c.cell_of = allocate((size_t)look->n, sizeof *c.cell_of);
    Int *columns = allocate((size_t)n_columns, sizeof *columns);
    uint32_t *renamed = allocate((size_t)n_cells, sizeof *renamed);
    c.ends = allocate((size_t)(look->n + n_columns), sizeof *c.ends);
    for (Int begin = 0, end; begin < look->n; begin = end) {
        end = end_of_column(look, begin);
        Int column = column_of_cut[look->cuts[begin].cut], cell = first_cell[column];
        for (Int i = begin; i < end; ++i) {
            c.column_of[i] = c.n_columns;
            c.cell_of[i] = c.n_cells;
            for (; cell <= cell_of_cut[look->cuts[i].cut]; ++cell) {
                renamed[cell] = (uint32_t)c.n_cells;
            }
            ++c.n_cells;
        }
        Int last = column + 1 < n_columns ? first_cell[column + 1] : n_cells;
        for (; cell < last; ++cell) renamed[cell] = (uint32_t)c.n_cells;
        c.ends[c.n_cells++] = true;
        columns[c.n_columns++] = column;
    }
    c.cells = allocate((size_t)(set->n * c.n_columns), sizeof *c.cells);
    c.sums = allocate((size_t)c.n_cells, sizeof *c.sums);
    c.yes = allocate((size_t)c.n_cells, sizeof *c.yes);
    c.losses = allocate((size_t)set->n, sizeof *c.losses);
    for (Int i = 0; i < set->n; ++i) {
        const uint32_t *from = cells + (Int)set->list[i] * n_columns;
        c.losses[i] = packed[set->list[i]];
        c.all += c.losses[i];
        for (Int column = 0; column < c.n_columns; ++column) {
            uint32_t cell = renamed[from[columns[column]]];
            c.cells[i * c.n_columns + column] = cell;
            c.sums[cell] += packed[set->list[i]];
        }
    }
    Word sum = 0;
    for (Int cell = 0; cell < c.n_cells; ++cell) {
        c.sums[cell] = sum += c.sums[cell];
        if (c.ends[cell]) sum = 0;
    }
    free(columns);
    free(renamed);
    return c;
}

static void release_cells(Cells *c) {
    free(c->column_of);
    free(c->cell_of);
    free(c->ends);
    free(c->cells);
    free(c->sums);
    free(c->yes);
    free(c->losses);
}

static inline Int less(Word both) {
    return least((Int)(both & 0xffffffffu), (Int)(both >> 32));
}

/* The least losses of two leaves on both sides, from sums up to each cell. */
#define LEAST_TWO(name)                                                               \
    static void name(Int n, const Word *here, const Word *sums_of, Word all_here,     \
                     Word all_there, Int *two) {                                      \
        Int two_here = INT64_MAX, two_there = INT64_MAX;                              \
        for (Int cell = 0; cell < n; ++cell) {                                        \
            Word a = here[cell], b = sums_of[cell] - a;                               \
            two_here = least(two_here, less(a) + less(all_here - a));                 \
            two_there = least(two_there, less(b) + less(all_there - b));              \
        }                                                                             \
        two[0] = two_here;                                                            \
        two[1] = two_there;                                                           \
    }

LEAST_TWO(least_two_anywhere)
#if defined(__x86_64__)
__attribute__((target("avx512f,avx512vl,avx512dq"))) LEAST_TWO(least_two_avx512)
#endif

static void least_two(Int n, const Word *here, const Word *sums_of, Word all_here,
                      Word all_there, Int *two) {
#if defined(__x86_64__)
    if (has_avx512()) {
        least_two_avx512(n, here, sums_of, all_here, all_there, two);
        return;
    }
#endif
    least_two_anywhere(n, here, sums_of, all_here, all_there, two);
}

/* Scan both sides of a usable cut from the groups on one of them. */
static void scan_cells(const Set *set, Cut *at, Cells *c, Int index) {
    memset(c->yes, 0, (size_t)c->n_cells * sizeof *c->yes);
    Int n = c->n_columns, column = c->column_of[index], last = c->cell_of[index];
    Word all_yes = c->sums[last], all = c->all;
    bool takes_yes = 2 * at->potential <= (Int)(all & 0xffffffffu) + (Int)(all >> 32);
    Word all_here = takes_yes ? all_yes : all - all_yes, all_there = all - all_here;
    Word *restrict yes = c->yes;
    const uint32_t *restrict of = c->cells;
    for (Int i = 0; i < set->n; ++i, of += n) {
        if ((of[column] <= last) != takes_yes) continue;
        Word losses = c->losses[i];
        for (Int k = 0; k < n; ++k) yes[of[k]] += losses;
    }
    Word sum = 0;
    for (Int cell = 0; cell < c->n_cells; ++cell) {
        c->yes[cell] = sum += c->yes[cell];
        if (c->ends[cell]) sum = 0;
    }
    Int two[2];
    least_two(c->n_cells, c->yes, c->sums, all_here, all_there, two);
    Int two_yes = two[!takes_yes], two_no = two[takes_yes];
    Int pair = 2 * problem.penalty;
    at->yes = most(at->yes, least(at->yes_leaf, problem.scale * two_yes + pair));
    at->no = most(at->no, least(at->no_leaf, problem.scale * two_no + pair));
}

static void scan_sides(const Set *set, Cut *at, Limits below) {
    TwoSides of = split(set, at->cut);
    at->yes = most(at->yes, scan(&of.yes, below));
    at->no = most(at->no, scan(&of.no, below));
    release(&of);
}

/* Scan the sides of open cuts of a column. Those in the middle reach furthest. */
static void scan_column(const Set *set, Look *look, Cells *of, Int begin, Int end,
                        Limits below, Int bound, bool is_exact) {
    for (Int first = begin; first < end;) {
        if (!is_open(look->cuts + first, bound)) {
            ++first;
            continue;
        }
        Int last = first;
        while (is_exact && last + 1 < end && is_open(look->cuts + last + 1, bound)) ++last;
        Int middle = (first + last) / 2;
        if (is_exact && is_packed) {
            scan_cells(set, look->cuts + middle, of, middle);
        } else {
            scan_sides(set, look->cuts + middle, below);
        }
        if (is_open(look->cuts + middle, bound)) return; /* it stays open */
        if (is_exact) carry(look, begin, end);
    }
}

/* Scan the sides of all cuts that are still open: a first one that stays so, or NULL. */
static const Cut *scan_open(const Set *set, Look *look, Limits below, Int bound) {
    Int n_open = 0, n_scans = 0;
    for (Int begin = 0, end; begin < look->n; begin = end) {
        end = end_of_column(look, begin);
        Int here = 0;
        for (Int i = begin; i < end; ++i) here += is_open(look->cuts + i, bound);
        n_open += here;
        n_scans += least(here, 16);
    }
    if (n_open == 0) return NULL;
    bool is_exact = problem.min_rows <= 1 && (below.depth == 1 || below.leaves == 2);
    Int n_counted = n_open * look->n * n_planes * ((set->n + 63) / 64);
    if (is_exact && sides != NULL && n_planes > 0 &&
        n_counted < 8 * n_scans * (set->n * n_columns + 2 * look->n)) {
        count_pairs(set, look, bound);
    } else {
        bool has_cells = is_exact && is_packed;
        Cells of = {.n_cells = 0};
        if (has_cells) of = list_cells(set, look);
        for (Int begin = 0, end; begin < look->n; begin = end) {
            end = end_of_column(look, begin);
            scan_column(set, look, &of, begin, end, below, bound, is_exact);
        }
        if (has_cells) release_cells(&of);
    }
    for (Int i = 0; i < look->n; ++i) {
        if (is_open(look->cuts + i, bound)) return look->cuts + i;
    }
    return NULL;
}

static void check_claim(const Set *set, Limits limits, Int bound, Int parent, Int cut_above,
                        bool yes, Int level) {
    require(level < MOST_DEPTH, "claims are nested too deeply");
    if (n_claims == room_for_claims) {
        room_for_claims = room_for_claims == 0 ? 1024 : 2 * room_for_claims;
        claims = checked(realloc(claims, (size_t)room_for_claims * sizeof *claims));
    }
    Int number = n_claims++;
    claims[number] = (Claim){parent, bound, limits, (uint32_t)cut_above, yes, false};
    Limits below = child_of(limits);
    Look look = {.n = 0};
    look.cuts = checked(malloc((size_t)(n_cuts + 1) * sizeof *look.cuts));
    look.place = checked(malloc((size_t)(n_cuts + 1) * sizeof *look.place));
    memset(look.place, 255, (size_t)n_cuts * sizeof *look.place);
    Least seen = look_at(set, &look);
    look.leaf = seen.leaf;
    look.price = seen.price;
    if (limits.depth == 0 || limits.leaves == 1) {
        look.n = 0;
        memset(look.place, 255, (size_t)n_cuts * sizeof *look.place);
    }
    for (Int i = 0; i < look.n; ++i) {
        Cut *at = look.cuts + i;
        at->yes = simple(at->yes_leaf, at->yes_price, below);
        at->no = simple(at->no_leaf, at->no_price, below);
    }
    Int cut = 0, step;
    while ((step = next(&proof)) != 0) {
        Int by = step % 2 != 0 ? (step - 1) / 2 : -(step / 2);
        if (by < -n_cuts || by > n_cuts) by = n_cuts;
        cut += by;
        if (cut < 0 || cut >= n_cuts || look.place[cut] < 0) {
            refuse("claim %lld: an item about a cut that is not usable",
                   (long long)number);
        }
        Cut *at = look.cuts + look.place[cut];
        Int kind = next(&proof);
        if (kind == 17) {
            check_same(set, &look, cut, number);
            at->is_settled = true;
        } else if (kind != 16) {
            Both found = both_sides(kind, at, set, bound, below, below, number, level);
            at->yes = most(at->yes, found.yes);
            at->no = most(at->no, found.no);
        } else {
            require(limits.leaves < NO_LIMIT, "leaves are shared without a limit");
            for (Int share = 1; share < limits.leaves; ++share) {
                Limits yes_limits = {below.depth, share};
                Limits no_limits = {below.depth, limits.leaves - share};
                Both found = both_sides(next(&proof), at, set, bound, yes_limits,
                                        no_limits, number, level);
                if (found.yes + found.no < bound) {
                    refuse("claim %lld: cut %lld is not bounded with %lld leaves on its "
                           "yes side",
                           (long long)number, (long long)cut, (long long)share);
                }
            }
            at->is_settled = true;
        }
    }
    if (look.leaf < bound) {
        refuse("claim %lld: a leaf costs less than its bound", (long long)number);
    }
    if (!has_prices || look.price < bound) {
        for (Int begin = 0, end; begin < look.n && problem.min_rows <= 1; begin = end) {
            end = end_of_column(&look, begin);
            carry(&look, begin, end);
        }
        const Cut *open = scan_open(set, &look, below, bound);
        if (open != NULL) {
            refuse("claim %lld: cut %lld may lead to a tree below its bound",
                   (long long)number, (long long)open->cut);
        }
    }
    free(look.cuts);
    free(look.place);
    claims[number].limits = reach_of(limits, bound);
    claims[number].is_complete = true;
}

/* --------------------------------------------------------------------------- files */

static uint8_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    uint8_t *data = NULL;
    size_t room = 0;
    *size = 0;
    do {
        room = room == 0 ? 1 << 16 : 2 * room;
        data = checked(realloc(data, room));
        *size += fread(data + *size, 1, room - *size, file);
    } while (*size == room);
    if (ferror(file)) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    return data;
}

static void open_proof(const uint8_t *data, size_t size, const uint8_t *problem_digest) {
    static const char head[] = "ostrya proof 1\n";
    size_t n_head = sizeof head - 1;
    uint8_t digest[32];
    require(size > n_head + 64 && memcmp(data, head, n_head) == 0,
            "this is not a proof file");
    sha256(data + n_head + 32, size - n_head - 32, digest);
    require(memcmp(digest, data + n_head, 32) == 0, "the file is damaged");
    require(memcmp(problem_digest, data + n_head + 32, 32) == 0,
            "the proof is about another problem");
    static Inflater body;
    body.at = data + n_head + 64;
    body.end = data + size;
    proof = (Numbers){NULL, NULL, &body, "proof"};
}

int main(int n_arguments, char **arguments) {
    if (n_arguments != 3) {
        fprintf(stderr, "usage: ostrya-check problem.bin proof.ostrya\n");
        return 2;
    }
    size_t problem_size, proof_size;
    uint8_t digest[32];
    const uint8_t *problem_file = read_file(arguments[1], &problem_size);
    const uint8_t *proof_file = read_file(arguments[2], &proof_size);
    problem = read_problem(problem_file, problem_size);
    sha256(problem_file, problem_size, digest);
    open_proof(proof_file, proof_size, digest);
    reduce();
    Int *everything = allocate((size_t)problem.n_groups, sizeof *everything);
    for (Int g = 0; g < problem.n_groups; ++g) everything[g] = g;
    read_tree(everything, problem.n_groups, 0);
    require(tree_leaves <= problem.max_leaves, "the tree has too many leaves");
    __int128 exact = (__int128)problem.penalty * tree_leaves + problem.scale * tree_loss;
    Int cost = next(&proof);
    require(exact == cost, "the tree does not cost what is written");
    read_prices();
    prepare_sums();
    Int bound = next(&proof);
    require(bound <= MOST_BOUND, "a bound is out of range");
    Set all = {.n = n_groups};
    all.list = allocate((size_t)n_groups, sizeof *all.list);
    all.bits = allocate((size_t)n_words + 1, sizeof *all.bits);
    for (Int g = 0; g < n_groups; ++g) all.list[g] = (uint32_t)g;
    if (n_words > 0) all_groups(all.bits);
    check_claim(&all, (Limits){problem.max_depth, problem.max_leaves}, bound, -1, 0, true,
                0);
    require_end(&proof);
    Int lower = problem.scale * base + bound;
    require(lower <= cost, "the bound is above the cost of a tree");
    printf("cost of the tree: %lld\n", (long long)cost);
    printf("lower bound:      %lld\n", (long long)lower);
    if (cost == lower) {
        printf("VERIFIED: no allowed tree costs less\n");
    } else {
        printf("VERIFIED: no allowed tree costs less by more than %lld\n",
               (long long)(cost - lower));
    }
    return 0;
}
