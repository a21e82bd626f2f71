/** Takes the question out of a form that is submitted, and leaves its input empty. */
export function submittedText(event: Event): string {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  const text = String(new FormData(form).get('question'));
  form.reset();
  return text;
}
