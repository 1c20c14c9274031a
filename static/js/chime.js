// Two tones, before something is said or where nothing else says it.
(() => {
  'use strict';

  const EVERY = 1.6; // seconds from one to the next
  const LENGTH = 0.85;

  function note(audio, frequency, at) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.4, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.5);
  }

  // Returns in how many seconds the last is over.
  window.hallcall.chime = (audio, times) => {
    audio.resume();
    for (let i = 0; i < times; i++) {
      const at = audio.currentTime + i * EVERY;
      note(audio, 880, at);
      note(audio, 660, at + 0.35);
    }
    return (times - 1) * EVERY + LENGTH;
  };
})();
