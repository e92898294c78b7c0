#!/bin/bash
# Installs what is missing, builds the tool, and renders every sample scene to build/gallery/: one PNG each, a page
# (index.html) and a contact sheet (sheet.png). Pictures that are newer than all they are made of are kept.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tests/support/setup.sh"
. "$root/tests/support/picture_scene.sh"

case ${1:-} in
  '') ;;
  --help | -h) echo "usage: samples/gallery.sh      renders all sample scenes to build/gallery/"; exit 0 ;;
  *) echo "unknown argument: $1" >&2; echo "usage: samples/gallery.sh" >&2; exit 2 ;;
esac

install_packages
build release tessera_tool
tool=$root/build/release/frontend/tessera
gallery=$root/build/gallery
mkdir -p "$gallery"

scenes=("$root"/samples/*/*.scene)
names=()
for scene in "${scenes[@]}"; do names+=("$(basename "$scene" .scene)"); done

# The first comment of a scene says what it shows.
caption() { sed -n '/^#/!q; s/^# *//p' "$1" | tr '\n' ' ' | sed 's/&/\&amp;/g; s/</\&lt;/g; s/ $//'; }

is_fresh() {   # PICTURE SCENE: newer than the tool and than every asset
  [ -e "$1" ] && [ "$1" -nt "$tool" ] && [ -z "$(find "$root/samples" -mindepth 2 -type f ! -regex '.*/\([a-z_]*\)/\1.png' -newer "$1" -print -quit)" ] &&
    [ "$1" -nt "$2" ]
}

# ---- pictures ----------------------------------------------------------------------------------------------

rendered=0
for i in "${!scenes[@]}"; do
  picture=$gallery/${names[i]}.png
  is_fresh "$picture" "${scenes[i]}" && continue
  "$tool" render "${scenes[i]}" -o "$picture"
  rendered=$((rendered + 1))
done

# ---- contact sheet: itself a scene, whose textures are the pictures ------------------------------------------

columns=5 cell_x=240 cell_y=180 gap=8
rows=$(((${#names[@]} + columns - 1) / columns))
width=$((columns * (cell_x + gap) + gap)) height=$((rows * (cell_y + gap) + gap))

write_sheet() {
  printf '[target]\nsize %d %d\n' $width $height
  for name in "${names[@]}"; do
    printf '[texture %s]\nfile %s.png\nmips\n' "$((index))" "$name"
    printf '[sampler %s]\nmip linear\nwrap clamp_to_edge clamp_to_edge\n' "$((index))"
    index=$((index + 1))
  done
  picture_shaders
  printf '[test]\nclear color 0.12 0.13 0.15 1\n'
  for i in "${!names[@]}"; do
    printf 'use texture 0 %d\nset viewport %d %d %d %d\ndraw rect -1 -1 2 2\n' "$i" \
      $((gap + i % columns * (cell_x + gap))) $((gap + i / columns * (cell_y + gap))) $cell_x $cell_y
  done
}

if [ $rendered -gt 0 ] || [ ! -e "$gallery/sheet.png" ]; then
  index=0
  write_sheet >"$gallery/sheet.scene"
  "$tool" render "$gallery/sheet.scene" -o "$gallery/sheet.png"
fi

# ---- page ----------------------------------------------------------------------------------------------------

{
  cat <<'HTML'
<!doctype html>
<meta charset="utf-8">
<title>Tessera: gallery</title>
<style>
  body { font: 15px/1.45 system-ui, sans-serif; background: #1f2126; color: #dcdfe4; margin: 2rem; }
  main { display: grid; grid-template-columns: repeat(auto-fill, minmax(360px, 1fr)); gap: 1.5rem; }
  figure { margin: 0; } img { width: 100%; height: auto; border-radius: 4px; display: block; }
  figcaption { padding: .5rem .1rem; } a { color: #8fc1ff; }
</style>
<h1>Tessera: gallery</h1>
<main>
HTML
  for i in "${!scenes[@]}"; do
    printf '<figure><img src="%s.png" alt="%s"><figcaption><a href="../../samples/%s/%s">%s</a>: %s</figcaption></figure>\n' \
      "${names[i]}" "${names[i]}" "$(basename "$(dirname "${scenes[i]}")")" "$(basename "${scenes[i]}")" "${names[i]}" "$(caption "${scenes[i]}")"
  done
  echo '</main>'
} >"$gallery/index.html"

echo "$rendered of ${#scenes[@]} pictures rendered: $gallery/index.html"
