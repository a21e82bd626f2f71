/** Number of times that a transport is answering each question on this page. */
const questions = new Map<string, number>();

/**
 * Announces that a transport recalls for a question and stores its turn, so that the middleware does not do it a second
 * time. Call the returned function when the question is answered.
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
