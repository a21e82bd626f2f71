const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });

globalThis.tellAndAsk = () =>
  new Promise((resolve, reject) => {
    worker.addEventListener('error', (event) => reject(new Error(event.message)));
    worker.addEventListener('message', ({ data }) => {
      if (data.failure === undefined) resolve(data.seen);
      else reject(new Error(data.failure));
    });
    worker.postMessage('start');
  });
