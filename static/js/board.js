// Turns the pages of lists that are longer than their place on the board, so
// that nothing in them is skipped.
(() => {
  'use strict';

  const TURN = 6000;
  const turned = new Map(); // list → page shown

  function perPage(list) {
    const first = list.firstElementChild;
    if (!first) return 1;
    const style = getComputedStyle(list);
    const gap = parseFloat(style.rowGap) || 0;
    const columns = style.display === 'grid' ? style.gridTemplateColumns.split(' ').length : 1;
    const rows = Math.floor((list.clientHeight + gap) / (first.offsetHeight + gap));
    return Math.max(1, rows) * columns;
  }

  function show(list, forward) {
    const items = [...list.children];
    for (const item of items) item.hidden = false;
    const size = perPage(list);
    const pages = Math.max(1, Math.ceil(items.length / size));
    const key = list.dataset.testid;
    const page = ((turned.get(key) ?? 0) + forward) % pages;
    turned.set(key, page);
    items.forEach((item, i) => { item.hidden = Math.floor(i / size) !== page; });
    const heading = list.closest('section').querySelector('h2');
    if (pages > 1) heading.dataset.page = `${page + 1} / ${pages}`;
    else delete heading.dataset.page;
  }

  function layOut(forward) {
    for (const list of document.querySelectorAll('[data-pages]')) show(list, forward);
  }

  setInterval(() => layOut(1), TURN);
  document.addEventListener('htmx:after:swap', () => layOut(0));
  window.addEventListener('resize', () => layOut(0));
  layOut(0);
})();
