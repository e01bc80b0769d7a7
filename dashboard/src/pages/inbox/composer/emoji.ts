/** Those that a support team writes, by their names. The system draws them. */
const NAMES = `🙂 slight smile|😀 grin|😃 smile open mouth|😄 smile happy|😁 beaming|😅 sweat smile|😂 tears of joy laugh|🤣 rolling laugh
😊 blush smile|😉 wink|😍 heart eyes|😘 kiss|😎 cool sunglasses|🤩 star eyes|🥳 party|🤗 hug
🤔 thinking|🤨 raised eyebrow|😐 neutral|😬 grimace|🙄 rolling eyes|😏 smirk|😴 sleep|🤐 zipped mouth
😕 confused|🙁 frown|😟 worried|😢 cry sad|😭 loud cry|😞 disappointed|😓 sweat|😩 weary
😤 huff|😠 angry|😱 scream|😳 flushed|🥺 pleading|😇 halo angel|🤯 mind blown|🤒 ill thermometer
👍 thumbs up yes|👎 thumbs down no|👌 ok hand|🙏 thanks please pray|👏 clap applause|🙌 raised hands hooray|💪 strong muscle|🤝 handshake deal
👋 wave hello bye|✌️ victory peace|🤞 crossed fingers luck|👉 point right|👈 point left|👆 point up|👇 point down|✋ stop hand
🫶 heart hands|🤷 shrug|🤦 facepalm|💁 information person|👀 eyes look|🧠 brain|👤 person|👥 people
❤️ heart red love|🧡 heart orange|💛 heart yellow|💚 heart green|💙 heart blue|💜 heart purple|💔 broken heart|💯 hundred
✨ sparkles|⭐ star|🌟 glowing star|🔥 fire|🎉 tada party celebrate|🎊 confetti|🎁 gift present|🏆 trophy
✅ check mark done|☑️ check box|❌ cross no|❗ exclamation|❓ question|⚠️ warning|🚫 forbidden|⛔ no entry
ℹ️ information|💡 idea bulb|🔔 bell|🔕 no bell mute|📌 pin|📎 paper clip|🔗 link|🔍 search magnifier
📧 e-mail|📨 incoming mail|📦 parcel package|🚚 truck delivery|✈️ plane|🚀 rocket|🏠 house home|🏢 office building
📞 telephone call|📱 phone mobile|💻 laptop computer|🖥️ screen desktop|🖨️ printer|⌨️ keyboard|📷 camera|🎧 headphones
📄 page document|📝 memo note|📊 chart|📈 chart up|📉 chart down|📅 calendar|🗓️ calendar date|⏰ alarm clock
⏳ hourglass wait|⌛ hourglass done|🕒 clock time|🔄 refresh repeat|➡️ arrow right|⬅️ arrow left|⬆️ arrow up|⬇️ arrow down
🔒 lock|🔓 unlock|🔑 key|🛡️ shield|🛠️ tools|🔧 wrench|⚙️ gear settings|🐛 bug
💳 credit card|💰 money bag|💶 euro|💵 dollar|🧾 receipt|🛒 cart shop|🏷️ label tag|🆕 new
🆗 ok|🆘 sos help|🟢 green circle|🟡 yellow circle|🔴 red circle|⚫ black circle|☕ coffee|🍕 pizza
🍰 cake|🍎 apple|🌱 seedling|🌳 tree|🌍 earth world|☀️ sun|🌧️ rain|❄️ snow
🐶 dog|🐱 cat|🦄 unicorn|🐢 turtle|⚽ football|🎵 music|📚 books|🎓 graduation`;

export const EMOJI: readonly (readonly [emoji: string, name: string])[] = NAMES.split(/[|\n]/).map((entry) => {
  const space = entry.indexOf(" ");
  return [entry.slice(0, space), entry.slice(space + 1)];
});
