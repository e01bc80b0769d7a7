/** What the demo is about: a shop for outdoor gear, the people who work there, and what their customers write. */

export const WORKSPACE_NAME = "Fernweh Outdoor (demo)";
/** Reserved for examples: nothing sent there arrives anywhere. */
export const EMAIL_DOMAIN = "fernweh.example";

export const PEOPLE = [
  { name: "Mara Lindqvist", email: `mara@${EMAIL_DOMAIN}`, role: "admin" },
  { name: "Tomás Reyes", email: `tomas@${EMAIL_DOMAIN}`, role: "agent" },
  { name: "Priya Nair", email: `priya@${EMAIL_DOMAIN}`, role: "agent" },
  { name: "Jonas Weber", email: `jonas@${EMAIL_DOMAIN}`, role: "agent" },
] as const;

export const FIRST_NAMES =
  "Amelia Noah Sofia Liam Yuki Elif Mateo Chloé Aisha Daniel Ingrid Rafael Hana Oliver Zofia Samuel Leila Marco Freya Tariq Nora Emil Camila Pavel Grace Kofi Ana Lukas Mei Søren".split(
    " ",
  );
export const LAST_NAMES =
  "Brooks Tanaka Rossi Novak Okafor Schmidt Moreau Silva Kowalska Haddad Larsen Costa Nguyen Fischer Murphy Yılmaz García Petrov Andersson Mensah Keller Dubois Sato Romero Walsh".split(
    " ",
  );
export const CITIES = ["Berlin", "Lisbon", "Oslo", "Kyoto", "Toronto", "Valencia", "Kraków", "Galway", "Lyon", "Accra"];
export const PLANS = ["guest", "member", "member", "gold"];

export const PRODUCTS = [
  "Ridgeline 45 backpack",
  "Tarn two-person tent",
  "Moss rain jacket",
  "Ember camping stove",
  "Cairn trekking poles",
  "Drift sleeping bag",
  "Alder hiking boots",
  "Lumen headlamp",
];

/** Who writes: the contact, the team, or the team as a note among colleagues. */
type Turn = readonly ["in" | "out" | "note", string];

export interface Script {
  subject: string;
  labels: readonly string[];
  priority?: "low" | "medium" | "high" | "urgent";
  turns: readonly Turn[];
  /** What the bot suggests while the contact waits. */
  suggestion?: string;
}

// {name}: the contact's first name, {product}, {order}, {agent}: the first name of whoever replies.
export const SCRIPTS: readonly Script[] = [
  {
    subject: "Where is my order {order}?",
    labels: ["shipping"],
    turns: [
      ["in", "Hi, I ordered the {product} last week (order {order}) and the tracking page has not moved since Monday."],
      ["in", "Could you check whether it got lost?"],
      [
        "out",
        "Hi {name}, thanks for writing. I have asked the carrier: your parcel waits at the depot and goes out tomorrow.",
      ],
      ["in", "Great, thank you for the quick reply!"],
      ["out", "You are welcome. I will keep an eye on it until it is delivered."],
    ],
    suggestion:
      "Hi {name}, order {order} is at the depot of the carrier and is planned for delivery tomorrow. I am sorry for the delay.",
  },
  {
    subject: "Zip of the {product} is broken",
    labels: ["warranty", "returns"],
    priority: "high",
    turns: [
      ["in", "The zip of my {product} came off on the second trip. I am quite disappointed."],
      ["note", "Third zip of this batch this month. @Priya can you tell purchasing?"],
      ["out", "Hi {name}, I am sorry about that. It is covered by the warranty. Would you like a repair or a new one?"],
      ["in", "A new one please. Do I have to send the old one back?"],
      ["out", "No need. A photo of the zip is enough, and the replacement leaves today."],
      ["in", "That is what I call service. Thanks!"],
    ],
    suggestion:
      "Hi {name}, I am sorry about the zip. It is covered by the warranty: a repair or a replacement, as you like.",
  },
  {
    subject: "Which size of the {product}?",
    labels: ["pre-sale"],
    priority: "low",
    turns: [
      ["in", "I am 178 cm tall and usually between M and L. Which one fits better with a thick fleece below?"],
      ["out", "Hi {name}, with a fleece I would take the L: it has about 4 cm more at the shoulders."],
      ["in", "Perfect, ordering the L. Can I exchange it if it is too large?"],
      ["out", "Of course, free of charge within 60 days."],
    ],
    suggestion:
      "Hi {name}, with a fleece underneath I recommend the L. You can exchange it free of charge within 60 days.",
  },
  {
    subject: "Refund for order {order}",
    labels: ["billing", "returns"],
    priority: "medium",
    turns: [
      ["in", "I sent the {product} back two weeks ago and still have no refund for {order}."],
      ["note", "Parcel is booked in, the refund was not triggered. Finance knows."],
      ["out", "Hi {name}, your parcel arrived on the 3rd. The refund is on its way and takes two working days."],
      ["in", "Thanks, I see it on my account now."],
    ],
  },
  {
    subject: "Change of the delivery address",
    labels: ["shipping"],
    priority: "urgent",
    turns: [
      ["in", "I am moving on Friday! Can order {order} go to my new address in {city} instead?"],
      ["out", "Hi {name}, that is still possible. Please send me the new address and I change it right away."],
      ["in", "14 Harbour Street, {city}. Thank you so much."],
      ["out", "Done. You get a new confirmation in a minute."],
    ],
    suggestion: "Hi {name}, yes, order {order} has not left yet. Please send me the new address and I will change it.",
  },
  {
    subject: "Invoice with a VAT number",
    labels: ["billing"],
    turns: [
      ["in", "Could I get the invoice of {order} with our company's VAT number on it?"],
      ["out", "Hi {name}, sure. What is the number, and which address should be on it?"],
      ["in", "DE811234567, the address is the same as for the delivery."],
      ["out", "Here you go, the corrected invoice is in your account under Documents."],
    ],
  },
  {
    subject: "Group order for a school trip",
    labels: ["pre-sale", "b2b"],
    priority: "high",
    turns: [
      ["in", "We are looking for 24 pieces of the {product} for a school trip in spring. Is there a discount?"],
      ["note", "24 pieces: 12 % is fine, says Mara."],
      ["out", "Hello {name}, how nice! For 24 pieces we can offer 12 % and free delivery to {city}."],
      ["in", "That sounds good. Can you hold the offer until the end of the month?"],
      ["out", "Yes, the offer is valid until then. I have added it to your account."],
    ],
  },
  {
    subject: "Cannot sign in to my account",
    labels: ["account"],
    turns: [
      ["in", "The link in the password e-mail says it has expired, three times now."],
      ["out", "Hi {name}, sorry for the trouble. I sent you a fresh link, please open it in a private window."],
      ["in", "That worked, thanks."],
    ],
    suggestion:
      "Hi {name}, I have sent you a fresh link. Please open it in a private window; it is valid for one hour.",
  },
  {
    subject: "Spare part for the {product}",
    labels: ["spare parts"],
    turns: [
      ["in", "I lost a small part of my {product}. Do you sell spare parts?"],
      ["out", "Hi {name}, we do. If you tell me which part, I send it to you for the price of the stamp."],
      ["in", "It is the buckle on the left side."],
      ["out", "It is in the mail. Have a good trip!"],
    ],
  },
  {
    subject: "Praise for Tomás",
    labels: ["feedback"],
    priority: "low",
    turns: [
      [
        "in",
        "I only wanted to say that Tomás was incredibly helpful on the phone yesterday. You have a customer for life.",
      ],
      ["out", "Thank you, {name}! I have passed it on, and it made his day."],
    ],
  },
];

export const SAVED_REPLIES = [
  { name: "Greeting", shortcut: "hi", body: "Hi {{contact.name}}, thanks for writing to Fernweh Outdoor." },
  { name: "Refund in progress", shortcut: "refund", body: "Your refund is on its way and takes two working days." },
  {
    name: "Ask for the order number",
    shortcut: "order",
    body: "Could you send me the order number? It begins with FW.",
  },
  {
    name: "Warranty",
    shortcut: "warranty",
    body: "This is covered by our warranty: a repair or a replacement, as you like.",
  },
  { name: "Closing", shortcut: "bye", body: "Is there anything else I can help with?\n\nBest regards\n{{agent.name}}" },
];

export const KEYS = [
  { name: "Website widget", description: "Chat on fernweh.example", type: "full" },
  { name: "Order assistant", description: "Suggests replies about orders", type: "bot" },
  { name: "CRM sync", description: "Reads events into the CRM", type: "webhook" },
] as const;

export const WEBHOOKS = [
  { name: "CRM sync", url: `https://crm.${EMAIL_DOMAIN}/hooks/parley`, events: ["*"], state: "healthy" },
  {
    name: "Data warehouse",
    url: `https://warehouse.${EMAIL_DOMAIN}/ingest`,
    events: ["message.*"],
    state: "recovering",
  },
  { name: "Old chat bot", url: `https://bot.${EMAIL_DOMAIN}/events`, events: ["message.created"], state: "failing" },
] as const;
