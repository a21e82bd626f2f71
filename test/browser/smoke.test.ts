import { expect, it } from 'vitest';
it('runs in a browser with IndexedDB', async () => {
  expect(indexedDB).toBeDefined();
});
