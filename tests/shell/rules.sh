# Rules that hold for the whole source of the product and the samples, checked on the text and on the linked symbols.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

product="core shader texture combiners raster frontend samples"
sources() { find $product -name '*.h' -o -name '*.cpp' -o -name '*.def'; }

# The text without comments and string contents, as `file:line:text`, searched for an extended regular expression.
search_code() {
  sources | sort | xargs awk '{ line = $0; sub(/\/\/.*/, "", line); gsub(/"([^"\\]|\\.)*"/, "\"\"", line); print FILENAME ":" FNR ":" line }' |
    grep -E -- "$1"
}

# libm and GLM disagree between machines in the last bits; core/math.h has ours. Exact functions (sqrt, fma, floor,
# ceil, trunc, ldexp, ...) are fine.
inexact='(a?(sin|cos|tan)h?|atan2|sincos|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|hypot|cbrt|erfc?|[lt]gamma)'
glm_inexact='(rotate|perspective(Fov)?|infinitePerspective|radians|degrees|angleAxis|slerp|eulerAngle[A-Z]*|orientate[34]|roll|pitch|yaw)'

# Reading or writing numbers must not depend on the user's locale: std::from_chars, std::to_chars and fmt do not.
locale_bound='(strto(d|f|ld|l|ul|ll|ull)|ato[fil]|ato(ll)|sto(i|l|ll|ul|ull|f|d|ld)|v?f?s?scanf|setlocale|localeconv|isalpha|isdigit|isspace|isalnum|tolower|toupper)'

# Symbols that the compiled library asks of the system's C library.
undefined_symbols() {
  nm --undefined-only "$TESSERA_BUILD/libtessera.a" 2>/dev/null | awk '/ U / { print $2 }' | sed 's/@.*//' | sort -u
}

libm_in_library() { undefined_symbols | grep -E -x "$inexact(f|l|f32|f64)?"; }
locale_in_library() { undefined_symbols | grep -E -x "(__isoc99_)?$locale_bound"; }

# include direction: folder, and what it may include besides itself
includes_against_the_direction() {
  local folder allowed
  while read -r folder allowed; do
    [ -d "$folder" ] || continue
    grep -rnE '^ *# *include "' "$folder" --include='*.h' --include='*.cpp' |
      sed -nE 's/^([^:]*:[0-9]*):.*"([a-z_]+)\/.*/\1 \2/p' |
      awk -v self="$folder" -v allowed=" $allowed " \
        '$2 != self && $2 != "hwy" && $2 != "fmt" && index(allowed, " " $2 " ") == 0 { print $1 ": " self "/ may not include " $2 "/" }'
  done <<'TABLE'
core
shader core
texture core shader
combiners core shader
raster core shader texture combiners
frontend core shader texture combiners raster
samples core shader texture combiners raster frontend
TABLE
}

files_that_are_too_long() { sources | xargs wc -l | awk '$2 != "total" && $1 > 700'; }
unfinished_remarks() { sources | xargs grep -nE '\b(TODO|FIXME|XXX|HACK)\b'; }

check "no inexact function of libm is called" finds_nothing search_code "(^|[^_a-zA-Z0-9:.>])(std::|::)$inexact(f|l)?[[:space:]]*\\("
check "no inexact C function of libm is called" finds_nothing search_code "(^|[^_a-zA-Z0-9:.>])$inexact[fl][[:space:]]*\\("
check "no inexact function of GLM is called" finds_nothing search_code "glm::($inexact|$glm_inexact)[[:space:]]*\\("
check "no text function that follows the locale is called" finds_nothing search_code "(^|[^_a-zA-Z0-9.>])(std::)?$locale_bound[[:space:]]*\\("
check "no stream, whose locale the user may change, formats numbers" finds_nothing search_code "stringstream|std::to_string|std::locale"
check "the library links no inexact function of libm" finds_nothing libm_in_library
check "the library links no text function that follows the locale" finds_nothing locale_in_library
check "includes go one way: core, shader, texture and combiners, raster, frontend, samples" finds_nothing includes_against_the_direction
check "no file has more than 700 lines" finds_nothing files_that_are_too_long
check "no remark speaks of unfinished work" finds_nothing unfinished_remarks
