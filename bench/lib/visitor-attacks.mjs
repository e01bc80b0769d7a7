// What the visitors of one widget can do to another workspace: as many sessions as two hundred per minute make in ten minutes,
// each with an open stream, each writing as fast as it may. They are elsewhere than the victim, as strangers are.

const SESSIONS = 2_000;
/** Where attackers are who have no key: not at the address of the victim. */
export const ELSEWHERE = "127.0.0.2";

/** The limits of new sessions are what such an attacker waits out: without them the row would measure the first minute. */
export const SESSIONS_WITHOUT_LIMITS = {
  PARLEY_WIDGET_SESSIONS_PER_ADDRESS: "100000",
  PARLEY_WIDGET_SESSIONS_PER_WIDGET: "100000",
};

/** Rows of attacks, as bench/lib/attacks.mjs runs them. */
export const visitorAttacksIn = ({ product, attacker }) =>
  ["reads", "deliveries"].map((victim) => ({
    name: `${SESSIONS.toLocaleString("en")} sessions of one widget that write and listen`,
    victim,
    async prepare() {
      const settings = { name: "hostile", allowed_origins: ["https://shop.example"] };
      const { public_id } = await product.call("POST", "/widgets", settings, attacker.key);
      const path = `/widget-api/${public_id}/`;
      this.request = { kind: "visitors", path, count: SESSIONS, localAddress: ELSEWHERE };
    },
  }));
