// Folds and unfolds, and opens what is jumped to.
/** @param {Element | null} place */
function reveal(place) {
  for (let at = place; at !== null; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
}

/** Opens what the address names and puts the focus there. */
function revealTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target === null) return;
  reveal(target);
  target.scrollIntoView({ block: 'start' });
  target.querySelector('summary')?.focus({ preventScroll: true });
}

for (const button of document.querySelectorAll('[data-fold]'))
  button.addEventListener('click', () => {
    const isOpen = button.getAttribute('data-fold') === 'open';
    for (const fold of document.querySelectorAll('#transcript details'))
      if (fold instanceof HTMLDetailsElement && (!isOpen || fold.classList.contains('entry'))) fold.open = isOpen;
  });
addEventListener('hashchange', revealTarget);
// The same place chosen twice changes no address.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  if (link !== null && link.getAttribute('href') === location.hash) revealTarget();
});
if (location.hash !== '') revealTarget();
