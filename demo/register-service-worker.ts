/** Lets the page work without its server from the next visit on. */
export async function registerServiceWorker(): Promise<void> {
  // Missing where the page is served over plain HTTP in a local network.
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register(new URL('./service-worker.js', document.baseURI));
}
