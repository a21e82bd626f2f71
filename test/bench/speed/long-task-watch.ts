/** Tasks of the main thread that a user feels: those of 50 ms and more. */
export interface Tasks {
  longestMs: number;
  count: number;
}

/** Runs a function and returns its long tasks. Browsers report tasks from 50 ms on; 0 means that all were shorter. */
export async function watchTasks(body: () => Promise<void>): Promise<Tasks> {
  let longestMs = 0;
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      longestMs = Math.max(longestMs, duration);
      count += 1;
    }
  });
  observer.observe({ type: 'longtask' });
  await body();
  await new Promise((resolve) => setTimeout(resolve, 200)); // entries are delivered a little later
  observer.disconnect();
  return { longestMs, count };
}
