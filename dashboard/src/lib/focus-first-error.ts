/** Moves focus to the first invalid field, after React has drawn the errors. */
export function focusFirstError(form: HTMLElement | null): void {
  setTimeout(() => {
    const field = form?.querySelector("[aria-invalid=true], [data-field]:has([role=alert])");
    if (!(field instanceof HTMLElement)) return;
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "center" });
  });
}
