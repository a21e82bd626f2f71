/**
 * Speaker of a text. `tool`: the result of a tool. `document`: a text that the user pasted or attached. `import`: a
 * memory or chat of another application. `model`: a model that read a message; the message does not say it in these words.
 */
export type Speaker = 'user' | 'assistant' | 'tool' | 'document' | 'import' | 'model';
