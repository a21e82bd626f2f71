// Run by plain Node in a project that has only the packed library: prints what it saw as one line of JSON.
const before = Reflect.ownKeys(globalThis);
const { createMemory } = await import('mnemora');
const { ConversationBufferMemory } = await import('mnemora/langchain');
const { MessageWindowChatMemory } = await import('mnemora/langchain4j');
const { toGEXF } = await import('mnemora/graph');
const { VectorIndex } = await import('mnemora/search');
const { offlineExtractor } = await import('mnemora/extract');
// A classic script: as a module it defines nothing that can be seen.
await import('mnemora/global');
const handles = process
  .getActiveResourcesInfo()
  .filter((name) => /Timeout|Immediate|Message|Socket/.test(name));
const added = Reflect.ownKeys(globalThis)
  .filter((key) => !before.includes(key))
  .map(String);

const values = [ConversationBufferMemory, MessageWindowChatMemory, toGEXF, VectorIndex, offlineExtractor];

const refusal = await createMemory().then(
  () => 'opened',
  (error) => error.code,
);

const memory = await createMemory({ storage: 'memory', embedder: false });
await memory.remember({ user: 'My sister lives in Lisbon.', assistant: 'Noted.' });
const [found] = await memory.session('another').search('Where in Lisbon?');
const context = await memory.session('another').recall('Who lives in Lisbon?');
await memory.close();

const line = {
  added,
  handles,
  values: values.map((value) => typeof value),
  refusal,
  found: found?.text,
  context: context.text,
  tokens: context.tokens,
};
process.stdout.write(`${JSON.stringify(line)}\n`);
