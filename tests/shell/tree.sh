# The source tree keeps its fixed top level, and every folder says what it is.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

folders="combiners core frontend raster samples shader tests texture"

top_level_is_fixed() {
  diff <(printf '%s\n' CMakeLists.txt CMakePresets.json LICENSE README.md $folders | LC_ALL=C sort) \
    <(ls | grep -vx build | LC_ALL=C sort)
}

every_folder_has_a_readme() {
  local folder
  for folder in $folders; do [ -s "$folder/README.md" ] || { echo "$folder/README.md is missing"; return 1; }; done
}

check "the top level holds the fixed files and folders and nothing else" top_level_is_fixed
check "every folder has a README" every_folder_has_a_readme
