import { dashboardApi } from "../api/client.ts";
import { language } from "../lib/language.ts";

/** What the browser allows, in the terms of the settings page. */
export type BrowserState = "unsupported" | "blocked" | "not-asked" | "off" | "while-open" | "on";

type Choice = "on" | "while-open" | "off";

const WORKER = `/service-worker.js?language=${language}`;
const choiceName = (userId: number) => `parley.notifications.${userId}`;

function choiceOf(userId: number): Choice {
  try {
    const stored = localStorage.getItem(choiceName(userId));
    return stored === "on" || stored === "while-open" ? stored : "off";
  } catch {
    return "off";
  }
}

function choose(userId: number, choice: Choice): void {
  try {
    localStorage.setItem(choiceName(userId), choice);
  } catch {
    // Storage is disabled: it holds until the page is left.
  }
}

const isSupported = (): boolean => "serviceWorker" in navigator && "Notification" in window;

export function browserState(userId: number): BrowserState {
  if (!isSupported()) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  if (Notification.permission === "default") return "not-asked";
  return choiceOf(userId);
}

/** Also without notifications: it makes the page an app, with a page for when there is no connection. */
export async function startWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!isSupported()) return null;
  try {
    const registration = await navigator.serviceWorker.register(WORKER);
    return registration ? await navigator.serviceWorker.ready : null;
  } catch {
    return null;
  }
}

/** Asks the browser, and sends pushes here. Without a push service, notifications come while a tab is open. */
export async function turnOn(userId: number, pushKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") return;
  choose(userId, "while-open");
  const worker = await startWorker();
  if (worker && (await subscribe(worker, pushKey))) choose(userId, "on");
}

export async function turnOff(userId: number, subscription: string | null): Promise<void> {
  choose(userId, "off");
  if (subscription !== null) await removeBrowser(subscription);
  await forget();
}

/** Another browser of the same person. */
export const removeBrowser = (subscription: string): Promise<unknown> =>
  dashboardApi("DELETE", `/me/push-subscriptions/${subscription}`);

/** Once per page load: the session may be a new one, which the server has no browser of yet. */
export async function renew(userId: number): Promise<void> {
  const worker = await startWorker();
  if (!worker || browserState(userId) !== "on") return;
  const { push_key } = await dashboardApi<{ push_key: string }>("GET", "/me/notifications");
  await subscribe(worker, push_key);
}

/** False: this browser has no push service, or cannot reach it. */
async function subscribe(worker: ServiceWorkerRegistration, pushKey: string): Promise<boolean> {
  if (!("pushManager" in worker)) return false;
  const subscription = await subscriptionWith(worker, bytesOf(pushKey)).catch(() => null);
  if (!subscription) return false;
  const { endpoint, keys } = subscription.toJSON();
  await dashboardApi("POST", "/me/push-subscriptions", {
    body: { endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } },
  });
  return true;
}

/** One that was made with another key of the server gets nothing any more. */
async function subscriptionWith(worker: ServiceWorkerRegistration, key: Uint8Array<ArrayBuffer>) {
  const known = await worker.pushManager.getSubscription();
  const knownKey = known?.options.applicationServerKey;
  if (known && knownKey && String(new Uint8Array(knownKey)) === String(key)) return known;
  await known?.unsubscribe();
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));

export async function forget(): Promise<void> {
  setBadge(0);
  await closeShown(null);
  const worker = await navigator.serviceWorker?.getRegistration();
  const subscription = await worker?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

/** What said that a conversation has something new goes, for whatever reason or for one alone. Null: of every one. */
export async function closeShown(tag: string | null, reason: string | null = null): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  worker?.active?.postMessage({ kind: "close", tag, reason });
}

/** The number on the icon of the installed app. */
export function setBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {});
}

interface ShownNotice {
  reason: string;
  workspace: { id: number; name: string };
  conversation_id: number;
  unread: number | null;
}

/** Has the worker show it, which shows one per conversation, also if a push says the same. False: it is open already. */
export async function show(notice: ShownNotice): Promise<boolean> {
  const worker = (await navigator.serviceWorker?.getRegistration())?.active;
  if (!worker) return true;
  const { port1, port2 } = new MessageChannel();
  const shown = new Promise<boolean>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data === "shown");
    setTimeout(() => resolve(true), 3_000);
  });
  worker.postMessage({ kind: "notice", notice }, [port2]);
  return shown;
}
