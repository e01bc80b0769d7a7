import { t } from "../../../lib/texts.ts";
import { plain } from "./insertion.ts";

/** Those that a support team writes, each with the words it is found by. The system draws them. */
const ROWS = [
  t(
    "🙂 slight smile|😀 grin|😃 smile open mouth|😄 smile happy|😁 beaming|😅 sweat smile|😂 tears of joy laugh|🤣 rolling laugh",
  ),
  t("😊 blush smile|😉 wink|😍 heart eyes|😘 kiss|😎 cool sunglasses|🤩 star eyes|🥳 party|🤗 hug"),
  t("🤔 thinking|🤨 raised eyebrow|😐 neutral|😬 grimace|🙄 rolling eyes|😏 smirk|😴 sleep|🤐 zipped mouth"),
  t("😕 confused|🙁 frown|😟 worried|😢 cry sad|😭 loud cry|😞 disappointed|😓 sweat|😩 weary"),
  t("😤 huff|😠 angry|😱 scream|😳 flushed|🥺 pleading|😇 halo angel|🤯 mind blown|🤒 ill thermometer"),
  t(
    "👍 thumbs up yes|👎 thumbs down no|👌 ok hand|🙏 thanks please pray|👏 clap applause|🙌 raised hands hooray|💪 strong muscle|🤝 handshake deal",
  ),
  t(
    "👋 wave hello bye|✌️ victory peace|🤞 crossed fingers luck|👉 point right|👈 point left|👆 point up|👇 point down|✋ stop hand",
  ),
  t("🫶 heart hands|🤷 shrug|🤦 facepalm|💁 information person|👀 eyes look|🧠 brain|👤 person|👥 people"),
  t(
    "❤️ heart red love|🧡 heart orange|💛 heart yellow|💚 heart green|💙 heart blue|💜 heart purple|💔 broken heart|💯 hundred",
  ),
  t("✨ sparkles|⭐ star|🌟 glowing star|🔥 fire|🎉 tada party celebrate|🎊 confetti|🎁 gift present|🏆 trophy"),
  t("✅ check mark done|☑️ check box|❌ cross no|❗ exclamation|❓ question|⚠️ warning|🚫 forbidden|⛔ no entry"),
  t("ℹ️ information|💡 idea bulb|🔔 bell|🔕 no bell mute|📌 pin|📎 paper clip|🔗 link|🔍 search magnifier"),
  t(
    "📧 e-mail|📨 incoming mail|📦 parcel package|🚚 truck delivery|✈️ plane|🚀 rocket|🏠 house home|🏢 office building",
  ),
  t(
    "📞 telephone call|📱 phone mobile|💻 laptop computer|🖥️ screen desktop|🖨️ printer|⌨️ keyboard|📷 camera|🎧 headphones",
  ),
  t("📄 page document|📝 memo note|📊 chart|📈 chart up|📉 chart down|📅 calendar|🗓️ calendar date|⏰ alarm clock"),
  t(
    "⏳ hourglass wait|⌛ hourglass done|🕒 clock time|🔄 refresh repeat|➡️ arrow right|⬅️ arrow left|⬆️ arrow up|⬇️ arrow down",
  ),
  t("🔒 lock|🔓 unlock|🔑 key|🛡️ shield|🛠️ tools|🔧 wrench|⚙️ gear settings|🐛 bug"),
  t("💳 credit card|💰 money bag|💶 euro|💵 dollar|🧾 receipt|🛒 cart shop|🏷️ label tag|🆕 new"),
  t("🆗 ok|🆘 sos help|🟢 green circle|🟡 yellow circle|🔴 red circle|⚫ black circle|☕ coffee|🍕 pizza"),
  t("🍰 cake|🍎 apple|🌱 seedling|🌳 tree|🌍 earth world|☀️ sun|🌧️ rain|❄️ snow"),
  t("🐶 dog|🐱 cat|🦄 unicorn|🐢 turtle|⚽ football|🎵 music|📚 books|🎓 graduation"),
];

export const EMOJI: readonly (readonly [emoji: string, words: string])[] = ROWS.flatMap((row) => row.split("|")).map(
  (entry) => {
    const space = entry.indexOf(" ");
    return [entry.slice(0, space), plain(entry.slice(space + 1))];
  },
);
