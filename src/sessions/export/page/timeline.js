// The strip: what is under the pointer or the focus is told in a line below it; arrow keys go along; it can be made wider.
const lanes = document.querySelector('.lanes');
const readout = document.querySelector('.readout');
const wide = document.querySelector('.strip-wide');
const spans = /** @type {SVGAElement[]} */ ([...document.querySelectorAll('.span')]);
const MAX_ZOOM = 64;

/** @param {Element | null} span */
function tell(span) {
  if (readout === null) return;
  readout.textContent = span?.querySelector('title')?.textContent ?? readout.getAttribute('data-idle') ?? '';
  readout.classList.toggle('live', span !== null);
}

/** @param {EventTarget | null} target */
function spanAt(target) {
  return target instanceof Element ? target.closest('.span, .flag, .gap') : null;
}

/** One of the spans takes part in the tab order: the one that had the focus last. @param {number} index */
function focusSpan(index) {
  const span = spans[Math.max(0, Math.min(spans.length - 1, index))];
  if (span === undefined) return;
  for (const other of document.querySelectorAll('.span[tabindex="0"]')) other.setAttribute('tabindex', '-1');
  span.setAttribute('tabindex', '0');
  span.focus();
}

spans[0]?.setAttribute('tabindex', '0');
lanes?.addEventListener('pointerover', (event) => tell(spanAt(event.target)));
lanes?.addEventListener('pointerleave', () => tell(null));
lanes?.addEventListener('focusin', (event) => tell(spanAt(event.target)));
lanes?.addEventListener('focusout', () => tell(null));
lanes?.addEventListener('keydown', (event) => {
  if (!(event instanceof KeyboardEvent) || event.altKey || event.ctrlKey || event.metaKey) return;
  const at = spans.findIndex((span) => span === document.activeElement);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: nextFailure(at), Home: 0, End: spans.length - 1 }[event.key];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  focusSpan(next);
});

/** The arrow down goes to the next one that failed. @param {number} at */
function nextFailure(at) {
  const next = spans.findIndex((span, i) => i > at && span.classList.contains('failed'));
  return next === -1 ? at : next;
}

let zoom = 1;
for (const button of document.querySelectorAll('[data-zoom]'))
  button.addEventListener('click', () => {
    if (!(wide instanceof HTMLElement)) return;
    const frame = wide.parentElement;
    const middle = frame === null ? 0 : (frame.scrollLeft + frame.clientWidth / 2) / wide.clientWidth;
    zoom = Math.max(1, Math.min(MAX_ZOOM, button.getAttribute('data-zoom') === 'in' ? zoom * 2 : zoom / 2));
    wide.style.width = `${zoom * 100}%`;
    if (frame !== null) frame.scrollLeft = middle * wide.clientWidth - frame.clientWidth / 2;
  });
