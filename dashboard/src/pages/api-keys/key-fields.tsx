import { type Catalogue, KEY_TYPES, type KeyType, scopesOfType, useCatalogue } from "../../api/catalogue.ts";
import { Check, Choices, Field, Input, Select, Textarea } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Notice } from "../../components/notice.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { inSentence, t } from "../../lib/texts.ts";
import css from "./api-keys.module.css";
import type { KeyValues } from "./key-form.ts";
import { SCOPE_TEXTS } from "./scope-texts.ts";

interface FieldsProps {
  values: KeyValues;
  onChange: (change: Partial<KeyValues>) => void;
  /** By the API's field names: the form's own and the server's. */
  problems: Record<string, string[]>;
}

export function TypeField({ values, onChange }: FieldsProps) {
  const { data: catalogue } = useCatalogue();
  return (
    <Choices<KeyType>
      label={t("Type")}
      name="type"
      value={values.type}
      className={css.typeChoices}
      options={(Object.keys(KEY_TYPES) as KeyType[]).map((type) => ({
        value: type,
        title: KEY_TYPES[type].title,
        hint: KEY_TYPES[type].sentence,
      }))}
      onChange={(type) =>
        onChange({ type, scopes: values.scopes.filter((scope) => scopesOfType(catalogue, type).includes(scope)) })
      }
    />
  );
}

export function NameFields({ values, onChange, problems }: FieldsProps) {
  return (
    <>
      <Field
        label={t("Name")}
        hint={t("What uses it, so that you still recognise it in a year.")}
        error={problems.name}
      >
        {(control) => (
          <Input
            {...control}
            name="name"
            maxLength={255}
            autoComplete="off"
            placeholder={t("Nightly export")}
            value={values.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("Description")} optional error={problems.description}>
        {(control) => (
          <Input
            {...control}
            name="description"
            maxLength={2000}
            autoComplete="off"
            placeholder={t("Who owns it, where it runs")}
            value={values.description}
            onChange={(event) => onChange({ description: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** Only what this type may hold is offered, as the server says. */
export function AbilitiesField({ values, onChange, problems }: FieldsProps) {
  const { type, everything, scopes } = values;
  const catalogue = useCatalogue();
  const limited = type === "limited";
  const toggle = (scope: string, on: boolean) =>
    onChange({ scopes: on ? [...scopes, scope] : scopes.filter((one) => one !== scope) });
  return (
    <div className={css.stack} data-field="abilities" tabIndex={-1}>
      {problems.abilities && <Notice tone="danger">{problems.abilities[0]}</Notice>}
      {!limited && (
        <div className={everything ? undefined : css.everything}>
          <Check
            title={t("Everything a {title} key may hold", { title: inSentence(KEY_TYPES[type].title) })}
            hint={t("Includes abilities that later versions add.")}
            checked={everything}
            onChange={(event) => onChange({ everything: event.target.checked })}
          />
        </div>
      )}
      {(limited || !everything) && (
        <Loaded query={catalogue} skeleton={<SkeletonRows />}>
          {({ scopes: known, key_types }) => (
            <fieldset>
              <legend className="visually-hidden">{t("Abilities")}</legend>
              <div className={css.abilities}>
                {known
                  .filter(({ name }) => key_types.find((one) => one.type === type)?.scopes.includes(name))
                  .map(({ name, description }) => (
                    <Check
                      key={name}
                      name={name}
                      title={<span className={css.scopeName}>{name}</span>}
                      hint={SCOPE_TEXTS[name] ?? description}
                      checked={scopes.includes(name)}
                      onChange={(event) => toggle(name, event.target.checked)}
                    />
                  ))}
              </div>
            </fieldset>
          )}
        </Loaded>
      )}
    </div>
  );
}

const EXPIRIES: Record<KeyValues["expiry"], string> = {
  never: t("Never"),
  "7": t("In 7 days"),
  "30": t("In 30 days"),
  "90": t("In 90 days"),
  "365": t("In a year"),
  date: t("On a date …"),
};

export function LimitFields({ values, onChange, problems }: FieldsProps) {
  const tiers = tierTitles(useCatalogue().data, values.tier);
  return (
    <>
      <div className={css.twoColumns}>
        <Field
          label={t("Rate limit tier")}
          hint={t("Requests above it receive a 429.")}
          error={problems.rate_limit_tier}
        >
          {(control) => (
            <Select
              {...control}
              name="tier"
              value={values.tier}
              onChange={(event) => onChange({ tier: event.target.value })}
            >
              {Object.entries(tiers).map(([tier, title]) => (
                <option key={tier} value={tier}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label={t("Expires")}
          hint={t("After that, requests with it receive a 401.")}
          error={values.expiry === "date" ? null : problems.expires_at}
        >
          {(control) => (
            <Select
              {...control}
              name="expiry"
              value={values.expiry}
              onChange={(event) => onChange({ expiry: event.target.value as KeyValues["expiry"] })}
            >
              {Object.entries(EXPIRIES).map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {values.expiry === "date" && (
          <Field label={t("Expiry date and time")} hint={t("In your time zone.")} error={problems.expires_at}>
            {(control) => (
              <Input
                {...control}
                type="datetime-local"
                value={values.expiryDate}
                onChange={(event) => onChange({ expiryDate: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
      <Field
        label={t("Allowed addresses")}
        optional
        hint={t(
          "IP addresses or CIDR ranges, one per line. Requests from elsewhere receive a 403. Leave it empty to allow every address.",
        )}
        error={problems.allowed_ips}
      >
        {(control) => (
          <Textarea
            {...control}
            mono
            name="addresses"
            rows={3}
            spellCheck={false}
            placeholder={"203.0.113.7\n198.51.100.0/24"}
            value={values.addresses}
            onChange={(event) => onChange({ addresses: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** The tier in use is listed even where the operator has since removed it. */
function tierTitles(catalogue: Catalogue | undefined, current: string): Record<string, string> {
  const titles = Object.fromEntries(
    (catalogue?.rate_limit_tiers ?? []).map(({ name, requests, seconds }) => [
      name,
      tierTitle(name, requests, seconds),
    ]),
  );
  return current in titles ? titles : { ...titles, [current]: current };
}

function tierTitle(name: string, requests: number | null, seconds: number | null): string {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  if (requests === null) return name === "unlimited" ? t("Unlimited") : t("{title}: unlimited", { title });
  if (seconds === 60) return t("{title}: {requests} requests per minute", { title, requests });
  if (seconds === 1) return t("{title}: {requests} requests per second", { title, requests });
  return t("{title}: {requests} requests per {seconds} seconds", { title, requests, seconds: seconds ?? 0 });
}
