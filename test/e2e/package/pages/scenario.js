/** Tells a memory three things and asks for one of them in other words. Returns only what a worker can post. */
export async function tellAndAsk(memory) {
  const warnings = [];
  memory.addEventListener('warning', ({ detail }) => warnings.push(`${detail.code}: ${detail.message}`));
  await memory.remember({ user: 'My dog is called Rex.', assistant: 'What a good name!' });
  await memory.remember({ user: 'The car needs new tyres.', assistant: 'I will remind you in May.' });
  await memory.remember({ user: 'Bread dough rests overnight.', assistant: 'That gives it flavor.' });
  await memory.work.settled();
  const [found] = await memory.search('What pets do I have?');
  const { text, messages, tokens } = await memory.session('another').recall('What pets do I have?');
  await memory.close();
  return { warnings, found, context: { text, messages, tokens } };
}
