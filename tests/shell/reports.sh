# The HTML reports in a browser: their scripts run without errors, views and filters switch, drawings have a size.
. "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "SKIPPED: no Chromium is installed"
  exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"; [ $failed_checks -eq 0 ] || exit 1' EXIT

# opened PAGE SCRIPT: runs the script in the page once that has loaded; prints what it passes to say(), and the page's errors.
opened() {
  local page=$work/opened.html
  awk -v script="$2" '
    !(at = index($0, "<head>")) || done { print; next }
    { done = 1; print substr($0, 1, at + 5); print "<script>var said=[]; const say = t => said.push(t);"
      print "addEventListener(\"error\", e => say(\"error: \" + e.message));"
      print "addEventListener(\"load\", () => setTimeout(() => { try { " script " } catch (e) { say(\"error: \" + e) }"
      print "document.documentElement.innerHTML = said.map(t => \"SAID \" + t).join(\"\\n\") + \"\\nSAID end\"; }, 300));</script>"; print substr($0, at + 6) }
  ' "$1" >"$page"
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync \
    --disable-background-networking --disable-component-update --user-data-dir="$work/profile" \
    --virtual-time-budget=3000 --dump-dom "file://$page" 2>/dev/null | sed -n 's/.*SAID \([^<]*\).*/\1/p'
}

# says PAGE SCRIPT LINE...: the script says just these lines.
says() {
  local page=$1 script=$2
  shift 2
  diff <(printf '%s\n' "$@" end) <(opened "$page" "$script")
}

scene() {   # NAME, red of the picture, red of the one that it is compared with
  mkdir -p "$work/scenes/$1"
  printf '[test]\nclear color %s 0.4 0.6 1\n' "$3" >"$work/expected.scene"
  "$TESSERA_TOOL" render "$work/expected.scene" -o "$work/scenes/$1/$1.png" --quiet
  printf '[test]\nclear color %s 0.4 0.6 1\nexpect image %s.png\n' "$2" "$1" >"$work/scenes/$1/$1.scene"
}

makes_the_reports() {
  local status=0
  scene good 0.2 0.2 && scene wrong 0.2 0.8 || return 1
  "$TESSERA_TOOL" test "$work/scenes" --report "$work/report" || status=$?
  [ $status -eq 1 ] && ls "$work"/report/*.html || return 1
  "$TESSERA_TOOL" bench clear --scaling --json >"$work/run.json" 2>/dev/null &&
    "$TESSERA_TOOL" bench --from "$work/run.json" --against "$work/run.json" --report "$work/bench.html"
}

seen='const seen = e => e && e.getBoundingClientRect().height > 0;'
of_wrong='const box = document.querySelector(".scene:not(.ok) .image");'
shown='const shown = () => ["expected", "actual", "difference", "flicker"].filter(n => seen(box.querySelector("figure." + n))).join(" ");'
choose='const choose = v => { const b = box.querySelector(`[value=${v}]`); b.checked = true; b.onchange(); };'

check "a run of scenes and a run of the bench give their reports" makes_the_reports
page=$(echo "$work"/report/*.html)
check "the report of scenes shows both, and with its filter the failed one" says "$page" "
  $seen const scenes = () => [...document.querySelectorAll('.scene')].filter(seen).length;
  say(scenes()); document.getElementById('failed').click(); say(scenes());
  document.getElementById('failed').click(); say(scenes());" 2 1 2
check "a wrong picture is shown side by side, in turns, and as the difference" says "$page" "
  $seen $of_wrong $shown $choose
  say(shown()); choose('flicker'); say(shown()); choose('difference'); say(shown()); choose('side'); say(shown());" \
  "expected actual difference" flicker difference "expected actual difference"
check "the turns show one picture and then the other, and stop at a click" says "$page" "
  $of_wrong const pair = box.querySelectorAll('.flicker img'), text = box.querySelector('.shown');
  pair[1].click(); const first = text.textContent; pair[1].click(); say(first === text.textContent ? 'same' : 'other');
  say(pair[1].style.visibility === (text.textContent === 'actual' ? 'visible' : 'hidden'));" other true
check "its pictures have loaded, and grow with the zoom" says "$page" "
  $of_wrong const picture = box.querySelector('.expected img'), width = picture.getBoundingClientRect().width;
  say(picture.naturalWidth > 0); const zoom = box.querySelector('.zoom'); zoom.value = 4; zoom.oninput();
  say(picture.getBoundingClientRect().width / width);" true 4
check "the pointer shows coordinates and the values of both pictures" says "$page" "
  $of_wrong const picture = box.querySelector('.expected img');
  const move = new MouseEvent('mousemove', {clientX: picture.getBoundingClientRect().x + 5, clientY: picture.getBoundingClientRect().y + 3});
  picture.dispatchEvent(move); say(box.querySelector('.at').textContent.replace(/ +/g, ' '));" \
  "(5, 3) expected: 204 102 153 255 actual: 51 102 153 255 difference: -153 0 0 0"
check "its numbers say how far the pictures are apart" says "$page" "
  $of_wrong say([...box.querySelectorAll('.numbers td')].slice(2, 3).map(c => c.textContent).join());" "153 0 0 0"
check "the report of the bench has its parts, and drawings that are seen" says "$work/bench.html" "
  $seen document.querySelectorAll('h2').forEach(h => say(h.textContent));
  say([...document.querySelectorAll('svg')].every(seen)); say(document.querySelectorAll('svg').length > 0);
  say([...document.querySelectorAll('.same')].every(v => v.textContent === 'no difference beyond the noise'));" \
  Comparison Rows Scaling Roofline true true true
