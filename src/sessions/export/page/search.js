// Looks through every entry, folded or not, and marks what it finds without changing the page.
const MAX_MARKED = 5000;
/** @type {HTMLInputElement | null} */
const searchBox = document.querySelector('.search input');
const matchCount = document.querySelector('.matches');
/** @type {{ text: string, nodes: Text[], starts: number[] }[] | null} */
let indexed = null;
/** @type {Range[]} */
let found = [];
let foundCount = 0;
let current = -1;

/** The text of the transcript, entry by entry, with the node that each part of it stands in. Made once, when it is first needed. */
function index() {
  return [...document.querySelectorAll('#transcript .entry')].map((entry) => {
    const walker = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT);
    /** @type {Text[]} */
    const nodes = [];
    const starts = [];
    let text = '';
    while (walker.nextNode()) {
      const node = /** @type {Text} */ (walker.currentNode);
      nodes.push(node);
      starts.push(text.length);
      text += node.data;
    }
    return { text: lowerCase(text), nodes, starts };
  });
}

/** As many characters as before: a few letters would become longer ones, and all places behind them wrong. @param {string} text */
function lowerCase(text) {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function search() {
  const wanted = lowerCase(searchBox?.value ?? '');
  found = [];
  foundCount = 0;
  current = -1;
  if (wanted !== '') for (const entry of (indexed ??= index())) findIn(entry, wanted);
  mark();
}

/** @param {{ text: string, nodes: Text[], starts: number[] }} entry @param {string} wanted */
function findIn({ text, nodes, starts }, wanted) {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    foundCount++;
    if (found.length >= MAX_MARKED) continue;
    const range = document.createRange();
    const first = nodeAt(starts, at);
    const last = nodeAt(starts, at + wanted.length - 1);
    const [from, to] = [nodes[first], nodes[last]];
    if (from === undefined || to === undefined) continue;
    range.setStart(from, at - (starts[first] ?? 0));
    range.setEnd(to, at + wanted.length - (starts[last] ?? 0));
    found.push(range);
  }
}

/** The last node that begins no later. @param {number[]} starts @param {number} at */
function nodeAt(starts, at) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

function mark() {
  const count = foundCount > found.length ? `first ${found.length} of ${foundCount}` : String(foundCount);
  const words = current === -1 ? `${count} ${foundCount === 1 ? 'match' : 'matches'}` : `${current + 1} of ${count}`;
  if (matchCount !== null) matchCount.textContent = (searchBox?.value ?? '') === '' ? '' : words;
  if (!('highlights' in CSS)) return;
  const now = found[current];
  CSS.highlights.set('hit', new Highlight(...found));
  CSS.highlights.set('hit-now', now === undefined ? new Highlight() : new Highlight(now));
}

/** @param {number} step */
function goTo(step) {
  if (found.length === 0) return;
  current = current === -1 && step < 0 ? found.length - 1 : (current + step + found.length) % found.length;
  const place = found[current]?.startContainer.parentElement ?? null;
  reveal(place);
  place?.scrollIntoView({ block: 'center' });
  mark();
}

/** @type {number | undefined} */
let waiting;
searchBox?.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(search, 120);
});
searchBox?.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') {
    event.preventDefault();
    goTo(event.shiftKey ? -1 : 1);
  }
  if (event.key === 'Escape') {
    searchBox.value = '';
    search();
    searchBox.blur();
  }
});
for (const button of document.querySelectorAll('[data-step]'))
  button.addEventListener('click', () => goTo(Number(button.getAttribute('data-step'))));
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  searchBox?.focus();
});
