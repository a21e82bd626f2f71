// Run by plain Node in a project that has only the packed library: prints what it saw as one line of JSON.
const before = Reflect.ownKeys(globalThis);
const { createMemory } = await import('mnemora');
const handles = process
  .getActiveResourcesInfo()
  .filter((name) => /Timeout|Immediate|Message|Socket/.test(name));
const added = Reflect.ownKeys(globalThis)
  .filter((key) => !before.includes(key))
  .map(String);

const refusal = await createMemory().then(
  () => 'opened',
  (error) => error.code,
);

const memory = await createMemory({ history: 'memory', embedder: false });
await memory.remember({ user: 'My sister lives in Lisbon.', assistant: 'Noted.' });
const [found] = await memory.session('another').search('Where in Lisbon?');
const context = await memory.session('another').recall('Who lives in Lisbon?');
await memory.close();

const line = {
  added,
  handles,
  refusal,
  found: found?.content,
  context: context.text,
  tokens: context.tokens,
};
process.stdout.write(`${JSON.stringify(line)}\n`);
