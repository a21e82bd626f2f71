/**
 * Speaker of a text. `tool`: the result of a tool. `document`: a text that the user pasted or attached. `import`: a
 * memory or chat of another application.
 */
export type Speaker = 'user' | 'assistant' | 'tool' | 'document' | 'import';
