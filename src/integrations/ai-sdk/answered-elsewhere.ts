/** Questions that a transport is answering on this page, by the number of times. */
const questions = new Map<string, number>();

/**
 * Says that a transport recalls for a question and stores its turn, so that a model with the middleware does not do so
 * once more. Call the returned function when it is answered.
 */
export function answerElsewhere(question: string): () => void {
  questions.set(question, (questions.get(question) ?? 0) + 1);
  return () => {
    const left = (questions.get(question) ?? 1) - 1;
    if (left > 0) questions.set(question, left);
    else questions.delete(question);
  };
}

export function isAnsweredElsewhere(question: string): boolean {
  return questions.has(question);
}
