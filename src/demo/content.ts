/** What the demo is about: a shop for outdoor gear, the people who work there, and what their customers write. */

export const WORKSPACE_NAME = "Fernweh (demo)";
/** Reserved for examples: nothing sent there arrives anywhere. */
const EMAIL_DOMAIN = "fernweh.example";

export const PEOPLE = [
  { name: "Mara Lindqvist", email: `mara@${EMAIL_DOMAIN}`, role: "admin" },
  { name: "Tomás Reyes", email: `tomas@${EMAIL_DOMAIN}`, role: "agent" },
  { name: "Priya Nair", email: `priya@${EMAIL_DOMAIN}`, role: "agent" },
  { name: "Jonas Weber", email: `jonas@${EMAIL_DOMAIN}`, role: "agent" },
] as const;

/** Its name says what becomes of its mail. */
export const MAILBOX = {
  name: "Demo (nothing is sent)",
  address: `support@${EMAIL_DOMAIN}`,
  from_name: WORKSPACE_NAME,
  signature: "Fernweh, outdoor gear",
};

export const FIRST_NAMES =
  "Amelia Noah Sofia Liam Yuki Elif Mateo Chloé Aisha Daniel Ingrid Rafael Hana Oliver Zofia Samuel Leila Marco Freya Tariq Nora Emil Camila Pavel Grace Kofi Ana Lukas Mei Søren".split(
    " ",
  );
export const LAST_NAMES =
  "Brooks Tanaka Rossi Novak Okafor Schmidt Moreau Silva Kowalska Haddad Larsen Costa Nguyen Fischer Murphy Yılmaz García Petrov Andersson Mensah Keller Dubois Sato Romero Walsh".split(
    " ",
  );
export const CITIES = [
  { name: "Berlin", prefix: "+49 30" },
  { name: "Lisbon", prefix: "+351 21" },
  { name: "Oslo", prefix: "+47 22" },
  { name: "Kyoto", prefix: "+81 75" },
  { name: "Toronto", prefix: "+1 416" },
  { name: "Valencia", prefix: "+34 96" },
  { name: "Kraków", prefix: "+48 12" },
  { name: "Galway", prefix: "+353 91" },
  { name: "Lyon", prefix: "+33 4" },
  { name: "Accra", prefix: "+233 30" },
] as const;
export const PLANS = ["guest", "member", "member", "gold"];
/** Reserved names, as above. */
export const MAIL_HOSTS = ["mail.example", "post.example", "inbox.example"];

const BAGS = ["Ridgeline 45 backpack", "Tarn two-person tent", "Drift sleeping bag"];
const CLOTHES = ["Moss rain jacket", "Alder hiking boots"];
const TOOLS = ["Ember camping stove", "Cairn trekking poles", "Lumen headlamp"];
export const PRODUCTS = [...BAGS, ...CLOTHES, ...TOOLS];

/** Who writes: the contact, the team, or the team as a note among colleagues. */
export type Turn = readonly ["in" | "out" | "note", string];

export interface Script {
  subject: string;
  labels: readonly string[];
  priority?: "low" | "medium" | "high" | "urgent";
  /** What it can be about; any product without it. */
  products?: readonly string[];
  turns: readonly Turn[];
  /** The turn after which the contact waits, where the conversation is not finished. */
  waitsAt: number;
  /** What the bot suggests then. */
  suggestion?: string;
}

// {name}: the contact's first name, {product}, {order}, {agent}: the first name of the agent who replies,
// {colleague}: that of another agent.
export const SCRIPTS: readonly Script[] = [
  {
    subject: "Where is my order {order}?",
    labels: ["shipping"],
    turns: [
      ["in", "Hi, I ordered the {product} last week (order {order}) and the tracking page has not moved since Monday."],
      ["in", "Could you check whether it got lost?"],
      [
        "out",
        "Hi {name}, thanks for writing. I have asked the carrier: your parcel is at the depot and goes out tomorrow.",
      ],
      ["in", "Great, thank you for the quick reply!"],
      ["out", "You are welcome. I will keep an eye on it until it is delivered."],
    ],
    waitsAt: 1,
    suggestion:
      "Hi {name}, order {order} is at the carrier's depot and is planned for delivery tomorrow. I am sorry for the delay.",
  },
  {
    subject: "The zip of my {product} broke",
    labels: ["warranty", "returns"],
    priority: "high",
    products: BAGS,
    turns: [
      ["in", "The zip of my {product} came off on the second trip. I am quite disappointed."],
      ["note", "Third zip from this batch this month. @{colleague} can you let purchasing know?"],
      ["out", "Hi {name}, I am sorry about that. It is covered by the warranty. Would you like a repair or a new one?"],
      ["in", "A new one, please. Do I have to send the old one back?"],
      ["out", "No need. A photo of the zip is enough, and the replacement leaves today."],
      ["in", "Now that is what I call service. Thanks!"],
    ],
    waitsAt: 3,
    suggestion: "No need to send it back, {name}. A photo of the zip is enough, and the replacement leaves today.",
  },
  {
    subject: "Which size of the {product}?",
    labels: ["pre-sale"],
    priority: "low",
    products: CLOTHES,
    turns: [
      ["in", "I am usually between two sizes. Which one fits better over thick layers?"],
      ["out", "Hi {name}, for thick layers I would take the larger one. Most customers between sizes do."],
      ["in", "Perfect, ordering the larger one. Can I exchange it if it does not fit?"],
      ["out", "Of course, free of charge within 60 days."],
    ],
    waitsAt: 2,
    suggestion: "Of course, {name}. You can exchange it free of charge within 60 days.",
  },
  {
    subject: "Refund for order {order}",
    labels: ["billing", "returns"],
    priority: "medium",
    turns: [
      ["in", "I sent the {product} back two weeks ago and still have no refund for {order}."],
      ["note", "The parcel is booked in, but the refund was not triggered. Finance is on it."],
      ["out", "Hi {name}, your parcel arrived on the 3rd. The refund is on its way and takes two working days."],
      ["in", "Thanks, I can see it on my account now."],
    ],
    waitsAt: 0,
  },
  {
    subject: "Change of delivery address",
    labels: ["shipping"],
    priority: "urgent",
    turns: [
      ["in", "I am moving on Friday! Can order {order} go to my new address in {city} instead?"],
      ["out", "Hi {name}, that is still possible. Please send me the new address and I will change it right away."],
      ["in", "14 Harbour Street, {city}. Thank you so much."],
      ["out", "Done. You will get a new confirmation in a minute."],
    ],
    waitsAt: 0,
    suggestion: "Hi {name}, yes, order {order} has not left yet. Please send me the new address and I will change it.",
  },
  {
    subject: "Invoice with our VAT number",
    labels: ["billing"],
    turns: [
      ["in", "Could I get the invoice for {order} with our company's VAT number on it?"],
      ["out", "Hi {name}, sure. What is the number, and which address should be on it?"],
      ["in", "DE811234567. The address is the same as for the delivery."],
      ["out", "Here you go: the corrected invoice is in your account under Documents."],
    ],
    waitsAt: 2,
  },
  {
    subject: "Group order for a school trip",
    labels: ["pre-sale", "b2b"],
    priority: "high",
    turns: [
      ["in", "We need 24 of the {product} for a school trip in spring. Is there a discount?"],
      ["note", "24 pieces: 12% is fine, says {colleague}."],
      ["out", "Hello {name}, how nice! For 24 pieces we can offer 12% off and free delivery to {city}."],
      ["in", "That sounds good. Can you hold the offer until the end of the month?"],
      ["out", "Yes, the offer is valid until then. I have added it to your account."],
    ],
    waitsAt: 3,
    suggestion: "Of course, {name}. I have added the offer to your account; it is valid until the end of the month.",
  },
  {
    subject: "Cannot sign in to my account",
    labels: ["account"],
    turns: [
      ["in", "The link in the password e-mail says that it has expired, three times now."],
      ["out", "Hi {name}, sorry for the trouble. I sent you a fresh link; please open it in a private window."],
      ["in", "That worked, thanks."],
    ],
    waitsAt: 0,
    suggestion:
      "Hi {name}, I have sent you a fresh link. Please open it in a private window; it is valid for one hour.",
  },
  {
    subject: "Spare part for my {product}",
    labels: ["spare parts"],
    products: [...BAGS, ...TOOLS],
    turns: [
      ["in", "I lost a small part of my {product}. Do you sell spare parts?"],
      ["out", "Hi {name}, we do. Tell me which part it is, and I will send it to you for the price of the stamp."],
      ["in", "It is the clip on the left side."],
      ["out", "It is in the mail. Have a good trip!"],
    ],
    waitsAt: 2,
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
    waitsAt: 0,
  },
  {
    subject: "Is the {product} back in stock soon?",
    labels: ["pre-sale"],
    turns: [
      ["in", "The {product} has been sold out for two weeks. When do you expect the next delivery?"],
      ["out", "Hi {name}, it arrives on Thursday. Shall I put one aside for you?"],
      ["in", "Yes, please!"],
      ["out", "Done. You have until Sunday to order it."],
    ],
    waitsAt: 0,
    suggestion: "Hi {name}, the next delivery arrives on Thursday. Shall I put one aside for you?",
  },
  {
    subject: "Two parcels instead of one",
    labels: ["shipping", "billing"],
    turns: [
      ["in", "I ordered one {product} ({order}) and received two. Was I charged twice?"],
      ["note", "Warehouse confirms that it was packed twice. One payment only."],
      ["out", "Hi {name}, thank you for being so honest! You paid once. I am sending you a return label."],
      ["in", "Got it, the parcel goes back tomorrow."],
      ["out", "Perfect. There is a voucher in your account as a thank-you."],
    ],
    waitsAt: 0,
  },
  {
    subject: "How do I waterproof the {product} again?",
    labels: ["product care"],
    products: ["Moss rain jacket", "Alder hiking boots", "Tarn two-person tent"],
    turns: [
      ["in", "After three years in the rain my {product} soaks up water. Can I treat it myself?"],
      ["out", "Hi {name}, yes: wash it with a mild soap, then use a spray without fluorine while it is still damp."],
      ["in", "Do you sell one that you would recommend?"],
      ["out", "The Fern spray works well. One bottle lasts for two treatments."],
    ],
    waitsAt: 2,
    suggestion: "Yes, {name}: the Fern spray works well, and one bottle lasts for two treatments.",
  },
  {
    subject: "Voucher code is not accepted",
    labels: ["billing"],
    priority: "medium",
    turns: [
      ["in", "The checkout says that my voucher SUMMIT20 is invalid, but it should run until the end of the month."],
      [
        "out",
        "Hi {name}, the code works from 50 euros on. I have lowered the limit for your basket; please try again.",
      ],
      ["in", "It works now. Thank you!"],
    ],
    waitsAt: 0,
    suggestion: "Hi {name}, the code works from 50 euros on. Would you like me to apply it to your basket by hand?",
  },
  {
    subject: "Delivery to a mountain hut?",
    labels: ["shipping", "pre-sale"],
    turns: [
      ["in", "We run a hut above {city}. Do you deliver there, or only down to the valley?"],
      ["out", "Hello {name}, the carrier goes as far as the valley station. Would that help?"],
      ["in", "Yes, the cable car brings everything up on Fridays."],
      ["out", "Then I will note Thursday as the delivery day for all of your orders."],
    ],
    waitsAt: 2,
  },
  {
    subject: "Wrong colour in the box",
    labels: ["returns"],
    priority: "high",
    turns: [
      ["in", "I ordered the {product} in green and got it in orange. Our tour starts on Saturday!"],
      ["out", "Hi {name}, I am sorry! A green one leaves by express today and is with you on Thursday."],
      ["in", "You are saving our trip. What about the orange one?"],
      ["out", "Keep the box, and use the label in it when you are back."],
    ],
    waitsAt: 0,
    suggestion: "Hi {name}, I am sorry! I can send a green one by express today, so that it is with you on Thursday.",
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
  {
    name: "Old chat bot",
    url: `https://bot.${EMAIL_DOMAIN}/events`,
    events: ["conversation.created"],
    retry_count: 2,
    state: "failing",
  },
] as const;
