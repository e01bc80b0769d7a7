// Shows notifications, also when no page is open, and a page for when there is no connection. It keeps nothing of what the
// API sends.
const SHELL = "parley-shell-1";
const OFFLINE = ["/offline.html", "/offline.css", "/offline.js", "/favicon.svg"];
const NO_PAGES = /^\/(?:api|dashboard-api|files|health|assets|docs|demo|widget|widget-api|widget\.js)(?:\/|$)/;
const OPEN_MS_MAX = 1_000;

const TEXTS = {
  en: {
    mention: "You were mentioned",
    assigned: "New message for you",
    followed: "New message where you were mentioned",
    unassigned: "New message that nobody has taken",
    test: "Notifications arrive here",
    conversation: "Conversation",
  },
  de: {
    mention: "Sie wurden erwähnt",
    assigned: "Neue Nachricht für Sie",
    followed: "Neue Nachricht, wo Sie erwähnt wurden",
    unassigned: "Neue Nachricht, noch nicht zugewiesen",
    test: "Benachrichtigungen kommen hier an",
    conversation: "Unterhaltung",
  },
  es: {
    mention: "Le han mencionado",
    assigned: "Nuevo mensaje para usted",
    followed: "Nuevo mensaje donde le mencionaron",
    unassigned: "Nuevo mensaje sin asignar",
    test: "Las notificaciones llegan aquí",
    conversation: "Conversación",
  },
  fr: {
    mention: "Vous avez été mentionné",
    assigned: "Nouveau message pour vous",
    followed: "Nouveau message là où vous êtes mentionné",
    unassigned: "Nouveau message non attribué",
    test: "Les notifications arrivent ici",
    conversation: "Conversation",
  },
  "pt-BR": {
    mention: "Mencionaram você",
    assigned: "Nova mensagem para você",
    followed: "Nova mensagem onde mencionaram você",
    unassigned: "Nova mensagem sem responsável",
    test: "As notificações chegam aqui",
    conversation: "Conversa",
  },
};
/** The page registers the worker with its language, which is then also that of what comes while no page is open. */
const texts = TEXTS[new URL(self.location.href).searchParams.get("language")] ?? TEXTS.en;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(OFFLINE)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.mode === "navigate" && !NO_PAGES.test(pathname))
    event.respondWith(fetch(event.request).catch(() => caches.match("/offline.html")));
  else if (OFFLINE.includes(pathname)) event.respondWith(fetch(event.request).catch(() => caches.match(pathname)));
});

self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(announceAndCheck(event.data.json()));
});

self.addEventListener("message", (event) => {
  // From the page that reads the stream: the same notice as a push, which it replaces or is replaced by.
  if (event.data?.kind === "notice")
    event.waitUntil(announceAndCheck(event.data.notice, (shown) => event.ports[0]?.postMessage(shown)));
  if (event.data?.kind === "close") event.waitUntil(close(event.data.tag, event.data.reason));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.href));
});

// The push service gave this browser another address.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event.oldSubscription));
});

/** A page may come to the front while its notification is being made. */
async function announceAndCheck(notice, report) {
  const shown = await announce(notice);
  report?.(shown);
  if (shown === "shown" && notice.conversation_id !== null && (await isInFront(hrefOf(notice))))
    await close(tagOf(notice));
}

const hrefOf = ({ workspace, conversation_id }) =>
  conversation_id === null ? `/w/${workspace.id}/profile` : `/w/${workspace.id}/inbox/${conversation_id}`;

/** One per conversation, however many messages, tabs and pushes there are. */
const tagOf = ({ workspace, conversation_id }) => `${workspace.id}:${conversation_id ?? "test"}`;

async function announce(notice) {
  const { reason, workspace, conversation_id, unread } = notice;
  const href = hrefOf(notice);
  if (unread !== null && self.navigator.setAppBadge) self.navigator.setAppBadge(unread).catch(() => {});
  if (conversation_id !== null && (await isInFront(href))) return "open";
  const [before] = await self.registration.getNotifications({ tag: tagOf(notice) });
  await self.registration.showNotification(texts[reason] ?? texts.assigned, {
    body: conversation_id === null ? workspace.name : `${texts.conversation} ${conversation_id} · ${workspace.name}`,
    tag: tagOf(notice),
    // What replaces one that said less sounds again; what says the same, from a push and from a page, does not.
    renotify: before !== undefined && before.data.reason !== reason,
    icon: "/icon-192.png",
    badge: "/badge-96.png",
    data: { href, reason },
  });
  return "shown";
}

async function close(tag, reason = null) {
  const shown = await self.registration.getNotifications(tag === null ? {} : { tag });
  for (const notification of shown) if (reason === null || notification.data.reason === reason) notification.close();
}

/** Whether a window shows this address to its person now. A page knows it; its worker only knows where it began. */
async function isInFront(href) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const visible = pages.filter(({ visibilityState }) => visibilityState === "visible");
  const asked = visible.map(async (page) => (await ask(page, href)) || Promise.reject());
  return Promise.any(asked).catch(() => false);
}

/** A page that responds too late says itself that the notification has to go. */
function ask(page, href) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(() => resolve(false), OPEN_MS_MAX);
    page.postMessage({ kind: "is-open", href }, [port2]);
  });
}

async function open(href) {
  const workspace = href.split("/").slice(0, 3).join("/");
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname.startsWith(`${workspace}/`));
  if (!page) return self.clients.openWindow(href);
  await page.focus();
  page.postMessage({ kind: "open", href });
}

async function renew(old) {
  if (!old) return;
  const subscription = await self.registration.pushManager.subscribe(old.options);
  const { endpoint, keys } = subscription.toJSON();
  await fetch("/dashboard-api/me/push-subscriptions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }),
  });
}
