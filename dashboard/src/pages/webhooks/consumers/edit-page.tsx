import { type FormEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { beyondFields } from "../../../api/client.ts";
import { type Consumer, consumerHref, useConsumer, usePutConsumer } from "../../../api/consumers.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Card, Page } from "../../../components/page.tsx";
import { ErrorState, SkeletonRows } from "../../../components/states.tsx";
import { toast } from "../../../components/toast.tsx";
import { focusFirstError } from "../../../lib/focus-first-error.ts";
import { t } from "../../../lib/texts.ts";
import { useUnsavedGuard } from "../../../lib/unsaved-guard.tsx";
import css from "./consumers.module.css";
import { bodyOf, EventsFields, eventsOf, problemsOf } from "./events-fields.tsx";

export function EditPage({ name }: { name: string }) {
  const { data, error, refetch } = useConsumer(name);
  return (
    <Page title={t("Edit {name}", { name })} narrow back={{ href: consumerHref(name), title: name }}>
      {data ? (
        <Editor consumer={data} />
      ) : (
        <Card>{error ? <ErrorState error={error} onRetry={() => refetch()} /> : <SkeletonRows rows={6} />}</Card>
      )}
    </Page>
  );
}

/** Changes what it shows, not where it stands. */
function Editor({ consumer }: { consumer: Consumer }) {
  const { name } = consumer;
  const form = useRef<HTMLFormElement>(null);
  const [, navigate] = useLocation();
  const put = usePutConsumer();
  const [initial] = useState(() => eventsOf(consumer));
  const [values, setValues] = useState(initial);
  const leave = useUnsavedGuard(values !== initial && !put.isSuccess);
  // After the guard has seen that it is saved.
  useEffect(() => {
    if (!put.isSuccess) return;
    toast(t("Consumer saved."));
    navigate(consumerHref(name));
  }, [put.isSuccess, navigate, name]);
  const [own, setOwn] = useState<Record<string, string[]>>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(values);
    setOwn(found);
    if (Object.keys(found).length > 0) return focusFirstError(form.current);
    put.mutate({ name, body: bodyOf(values) }, { onError: () => focusFirstError(form.current) });
  };
  const elsewhere = put.error && beyondFields(put.error, ["types", "filter"]);
  return (
    <form ref={form} className={css.stack} noValidate onSubmit={submit}>
      {leave}
      <EventsFields values={values} problems={{ ...put.error?.details, ...own }} onChange={setValues} />
      {elsewhere && <Notice tone="danger">{elsewhere}</Notice>}
      <div className={css.row}>
        <Button type="submit" variant="primary" busy={put.isPending}>
          {t("Save changes")}
        </Button>
        <LinkButton href={consumerHref(name)} variant="ghost">
          {t("Cancel")}
        </LinkButton>
      </div>
    </form>
  );
}
