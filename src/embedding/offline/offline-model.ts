/** The model that comes with this library: Universal Sentence Encoder Lite, int8, 7 MB, English. */
export const OFFLINE_MODEL = 'use-lite';
