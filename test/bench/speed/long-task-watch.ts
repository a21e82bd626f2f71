/** Tasks of the main thread that a user feels: those of 50 ms and more. */
export interface Tasks {
  longestMs: number;
  count: number;
}

/** Runs a function and returns its long tasks. Browsers report tasks from 50 ms on; 0 means that all were shorter. */
export async function watchTasks(body: () => Promise<void>): Promise<Tasks> {
  let longestMs = 0;
  let count = 0;
  const read = (entries: readonly PerformanceEntry[]): void => {
    for (const { duration } of entries) {
      longestMs = Math.max(longestMs, duration);
      count += 1;
    }
  };
  const observer = new PerformanceObserver((list) => read(list.getEntries()));
  await nextTask(); // what the caller did before is not part of it
  observer.observe({ type: 'longtask' });
  await body();
  await nextTask(); // an entry is made when its task ends
  read(observer.takeRecords());
  observer.disconnect();
  return { longestMs, count };
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
