// Says each call aloud: a chime, then number and place in each language of the
// hall, by a voice of the browser or, where it has none or that is stuck, by clips
// of digits, letters and phrases that are played one behind the other.
//
// A call is said once by this screen, also over a reload, and none that is old.
// Whatever goes wrong with one call, the next has its turn.
(() => {
  'use strict';

  const OLD = 120000; // a call of two minutes ago is no news
  const RESUMING = 1000; // a browser that allows sound begins within some milliseconds
  const BEGIN = 3000; // a voice that is silent for so long is stuck
  const LONGEST = 20000; // nor does any need longer for one call
  const LATE = 2000; // clips that end so much later than they should are stuck
  const HURRY = 3; // with more calls waiting, none is repeated
  const KEPT = 'hallcall-said';
  const MUTE = 'hallcall-mute';

  const box = document.getElementById('voice');
  const languages = JSON.parse(box.dataset.languages);
  const repeats = Number(box.dataset.repeats);
  const note = document.getElementById('voice-note');
  const mute = document.getElementById('voice-mute'); // of two boards in a hall one may be silent
  const audio = new AudioContext();
  const clips = new Map(); // by language: what is loaded, or is being loaded
  const stuck = new Set(); // languages whose browser voice did not speak

  let said = new Set(JSON.parse(sessionStorage.getItem(KEPT) ?? '[]')); // calls of now that need no saying
  let line = []; // calls to be said, the oldest first
  let speaking = false;
  let failed = false; // the last call was not heard
  let settled = false; // it is known whether the browser lets sound through

  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  // How it stands

  const isMute = () => localStorage.getItem(MUTE) !== null;

  function trouble() {
    if (isMute()) return hallcall.text('soundOff');
    return audio.state === 'running' ? hallcall.text('soundBroken') : hallcall.text('soundMuted');
  }

  function state() {
    if (!settled) return '';
    if (isMute() || audio.state !== 'running') return 'muted';
    return failed ? 'broken' : 'on';
  }

  function tell() {
    const now = state();
    mute.setAttribute('aria-pressed', String(isMute()));
    note.hidden = now !== 'muted' && now !== 'broken';
    note.textContent = note.hidden ? '' : trouble();
    if (box.dataset.state === now) return;
    box.dataset.state = now;
    document.dispatchEvent(new CustomEvent('hallcall:sound'));
  }

  async function resume() {
    if (audio.state !== 'running') await Promise.race([audio.resume().catch(() => {}), pause(RESUMING)]);
    settled = true;
    tell();
    return audio.state === 'running';
  }

  // Speaking

  const voiceOf = (tag) => window.speechSynthesis?.getVoices().find((voice) =>
    voice.localService && voice.lang.toLowerCase().replace('_', '-').split('-')[0] === tag);

  const spelled = (text) => [...text.toUpperCase()].filter((sign) => /[0-9A-Z]/.test(sign));

  function utter(language, voice, call) {
    const words = { Number: spelled(call.ticket).join(' '), Room: call.room, Machine: call.machine };
    const speech = new SpeechSynthesisUtterance(language.spoken.replace(/\{\{\.(\w+)\}\}/g, (whole, name) => words[name]));
    speech.voice = voice;
    speech.lang = voice.lang;
    return new Promise((done) => {
      let watch;
      const end = (heard) => {
        clearTimeout(watch);
        speech.onstart = speech.onend = speech.onerror = null;
        if (!heard) speechSynthesis.cancel();
        done(heard);
      };
      watch = setTimeout(end, BEGIN, false);
      speech.onstart = () => {
        clearTimeout(watch);
        watch = setTimeout(end, LONGEST, false);
      };
      speech.onend = () => end(true);
      speech.onerror = () => end(false);
      speechSynthesis.cancel(); // what hangs there from before
      speechSynthesis.speak(speech);
    });
  }

  async function fetched(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return answer;
  }

  async function load(language) {
    const [sound, index] = await Promise.all([fetched(language.clips), fetched(language.index)]);
    return { buffer: await audio.decodeAudioData(await sound.arrayBuffer()), index: await index.json() };
  }

  function loaded(language) {
    if (!clips.has(language.tag)) {
      const loading = load(language);
      clips.set(language.tag, loading);
      loading.catch(() => clips.delete(language.tag)); // it is tried again for the next call
    }
    return clips.get(language.tag);
  }

  // The names of the clips of a call. Of a room's name only its number can be said.
  function pieces(language, call) {
    const room = call.room.match(/\d+|\b[A-Za-z]\b/g) ?? [];
    const words = { Number: spelled(call.ticket), Room: spelled(room.join('')), Machine: spelled(call.machine) };
    const sentence = room.length > 0 ? language.sentence : language.sentenceWithoutRoom;
    return sentence.split(/\{\{\.(\w+)\}\}/).flatMap((part, i) => (i % 2 ? words[part] : [part.trim()]));
  }

  async function play(language, call) {
    const { buffer, index } = await loaded(language);
    let at = audio.currentTime + 0.05;
    let last;
    for (const name of pieces(language, call)) {
      if (!index[name]) continue;
      const [start, length] = index[name];
      last = audio.createBufferSource();
      last.buffer = buffer;
      last.connect(audio.destination);
      last.start(at, start, length);
      at += length + 0.05;
    }
    if (!last) return false;
    return Promise.race([
      new Promise((done) => { last.onended = () => done(true); }),
      pause((at - audio.currentTime) * 1000 + LATE).then(() => false),
    ]);
  }

  // Returns by what a call was said in a language, '' if it was not.
  async function speak(language, call) {
    const voice = !stuck.has(language.tag) && voiceOf(language.tag);
    if (voice) {
      if (await utter(language, voice, call)) return 'voice';
      stuck.add(language.tag);
    }
    return (await play(language, call)) ? 'clips' : '';
  }

  // Returns whether a call was heard in each language.
  async function announce(call) {
    if (isMute() || !await resume()) return true; // which is told, and nothing is broken
    const times = line.length > HURRY ? 1 : repeats;
    await pause(hallcall.chime(audio, 1) * 1000);
    let heard = true;
    for (let i = 0; i < times; i++) {
      for (const language of languages) {
        const by = await speak(language, call).catch(() => '');
        document.dispatchEvent(new CustomEvent('hallcall:said', { detail: { call: call.name, lang: language.tag, by } }));
        heard &&= by !== '';
      }
    }
    return heard;
  }

  async function speakAll() {
    if (speaking) return;
    speaking = true;
    while (line.length > 0) {
      failed = !await announce(line.shift()).catch(() => false);
      tell();
    }
    speaking = false;
  }

  // What is called

  function callsOnTheBoard() {
    return [...document.querySelectorAll('#board [data-call]')].map(({ dataset }) => ({
      name: dataset.call, at: Number(dataset.at), ticket: dataset.ticket, room: dataset.room, machine: dataset.machine,
    }));
  }

  function look() {
    const calls = callsOnTheBoard();
    const present = new Set(calls.map((call) => call.name));
    const fresh = calls.filter((call) => !said.has(call.name) && hallcall.now() - call.at < OLD);
    line = line.filter((call) => present.has(call.name)); // the others are answered or withdrawn
    line.push(...fresh.sort((x, y) => x.at - y.at));
    said = present;
    sessionStorage.setItem(KEPT, JSON.stringify([...said]));
    speakAll();
  }

  mute.addEventListener('click', () => {
    if (isMute()) localStorage.removeItem(MUTE);
    else localStorage.setItem(MUTE, '1');
    tell();
  });
  document.getElementById('voice-test').addEventListener('click', () => {
    stuck.clear();
    line.unshift({ name: 'test', ticket: box.dataset.ticket, room: box.dataset.room, machine: box.dataset.machine });
    speakAll();
  });

  audio.onstatechange = tell;
  for (const event of ['pointerup', 'keyup']) document.addEventListener(event, resume); // what a browser waits for
  document.addEventListener('htmx:after:swap', look);
  for (const language of languages) loaded(language).catch(() => {});
  window.speechSynthesis?.getVoices(); // they come later, after the first time they are asked for
  window.hallcall.sound = state;
  resume();
  look();
})();
