/** Two short notes, without a file to load. The browser allows them once the visitor has pressed something in the frame. */
export function playSound(): void {
  try {
    const context = new AudioContext();
    const gain = new GainNode(context, { gain: 0 });
    gain.connect(context.destination);
    const end = context.currentTime + 0.35;
    const tone = new OscillatorNode(context, { type: "sine", frequency: 660 });
    tone.frequency.setValueAtTime(880, context.currentTime + 0.12);
    gain.gain.linearRampToValueAtTime(0.12, context.currentTime + 0.02);
    gain.gain.linearRampToValueAtTime(0, end);
    tone.connect(gain);
    tone.start();
    tone.stop(end);
    tone.onended = () => void context.close();
  } catch {
    // A chat without sound is a chat.
  }
}
