/**
 * Has the page's random numbers count up, so that ids sort in the order in which they are made: where equals are ranked
 * by their ids, two runs give the same result. Returns what ends that.
 */
export function countIds(): () => void {
  const { crypto } = globalThis;
  let count = 0;
  const getRandomValues = <Values extends ArrayBufferView | null>(values: Values): Values => {
    if (values === null) return values;
    count += 1;
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).fill(0);
    const last = bytes.length - 1;
    for (let rest = count, at = last; rest > 0 && at >= 0; at--, rest = Math.floor(rest / 256)) {
      bytes[at] = rest % 256;
    }
    return values;
  };
  Object.defineProperty(crypto, 'getRandomValues', { value: getRandomValues, configurable: true });
  return () => void Reflect.deleteProperty(crypto, 'getRandomValues');
}
