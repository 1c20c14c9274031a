// Turns the pages of lists that are longer than their place on the board, so
// that nothing in them is skipped, and leaves out what would be cut off.
(() => {
  'use strict';

  const TURN = 5000; // a page of what needs no showing is shown so long
  const SEEN = 2000; // what was there so long has been seen
  const LOOK = 250;
  const SPEAK = 8000; // each of the board's languages is shown so long
  const lists = new Map(); // test id → what is known of a list

  const now = () => performance.now();
  const nameOf = (item) => item.id.replace(/^[a-z]+-/, ''); // the same in the list and on top of it

  function perPage(list) {
    const first = list.firstElementChild;
    if (!first) return 1;
    const style = getComputedStyle(list);
    const gap = parseFloat(style.rowGap) || 0;
    const columns = style.display === 'grid' ? style.gridTemplateColumns.split(' ').length : 1;
    const rows = Math.floor((list.clientHeight + gap + 1) / (first.offsetHeight + gap));
    return Math.max(1, rows) * columns;
  }

  // Everything that is on the list now, and whether any of it has just come.
  function renew(state, list, items) {
    const hero = list.closest('section').querySelector('.board-hero');
    const names = new Set(items.map(nameOf));
    if (hero) names.add(nameOf(hero));
    const fresh = [...names].some((name) => !state.names.has(name));
    for (const name of state.seen.keys()) if (!names.has(name)) state.seen.delete(name);
    state.names = names;
    return fresh;
  }

  // The page of what was not seen for the longest time: whatever comes and goes
  // meanwhile, everything has its turn.
  function longestUnseen(state, items, size) {
    const seen = items.map((item) => state.seen.get(nameOf(item)) ?? 0);
    return Math.floor(seen.indexOf(Math.min(...seen)) / size);
  }

  // How long a page is shown at least: calls as long as the hall's rule says.
  const turnOf = (list) => (list.dataset.testid === 'calling' ? Number(document.getElementById('board').dataset.show) * 1000 : TURN);

  function turnTo(state, page, turn) {
    state.page = page;
    state.since = now();
    state.until = state.since + turn;
  }

  // Shows one page: the first when something has come, since the newest is on
  // top, and another when this one was there long enough.
  function show(list) {
    const items = [...list.children];
    const turn = turnOf(list);
    const state = lists.get(list.dataset.testid) ?? { page: 0, since: now(), until: now() + turn, names: new Set(), seen: new Map() };
    lists.set(list.dataset.testid, state);
    for (const item of items) item.hidden = false;
    const size = perPage(list);
    const pages = Math.max(1, Math.ceil(items.length / size));
    if (renew(state, list, items)) {
      if (state.page > 0) turnTo(state, 0, turn);
      else state.until = Math.min(now() + turn, state.since + 2 * turn); // the others are not put off for ever
    }
    if (now() >= state.until) turnTo(state, pages > 1 ? longestUnseen(state, items, size) : 0, turn);
    state.page = Math.min(state.page, pages - 1);
    items.forEach((item, i) => { item.hidden = Math.floor(i / size) !== state.page; });
    const heading = list.closest('section').querySelector('h2');
    if (pages > 1) heading.dataset.page = `${state.page + 1} / ${pages}`;
    else delete heading.dataset.page;
  }

  function tick() {
    for (const list of document.querySelectorAll('[data-pages]')) {
      const state = lists.get(list.dataset.testid);
      if (!state) continue; // has just come: shown by the swap
      if (now() - state.since >= SEEN) {
        for (const item of list.children) if (!item.hidden) state.seen.set(nameOf(item), now());
      }
      if (now() >= state.until) show(list);
    }
  }

  // Leaves out what does not fit whole.
  function fit(list) {
    const items = [...list.children];
    for (const item of items) item.hidden = false;
    const place = list.getBoundingClientRect();
    const bottom = Math.min(place.bottom, list.closest('section').getBoundingClientRect().bottom, innerHeight);
    const out = items.map((item) => item.getBoundingClientRect()).map((box) => box.bottom > bottom + 1 || box.right > place.right + 1);
    items.forEach((item, i) => { item.hidden = out[i]; });
  }

  function layOut() {
    for (const list of document.querySelectorAll('[data-fit]')) fit(list);
    for (const list of document.querySelectorAll('[data-pages]')) show(list);
  }

  // Of several languages each has its turn, in all texts at once.
  let turn = 0;
  function speak() {
    const turns = Number(document.getElementById('board').dataset.turns);
    turn = (turn + 1) % turns;
    document.body.dataset.turn = String(turn);
    if (turns > 1) layOut();
  }

  setInterval(tick, LOOK);
  setInterval(speak, SPEAK);
  document.addEventListener('htmx:after:swap', layOut);
  window.addEventListener('resize', layOut);
  layOut();
})();
