/**
 * Moves focus to the first invalid field, after React has drawn the errors: the library for requests tells React of them in
 * the next task, so this is done in the one after it.
 */
export function focusFirstError(form: HTMLElement | null): void {
  const focus = () => {
    const field = form?.querySelector("[aria-invalid=true], [data-field]:has([role=alert])");
    if (!(field instanceof HTMLElement)) return;
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "center" });
  };
  setTimeout(() => setTimeout(focus));
}
