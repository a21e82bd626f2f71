import type { WarningCode, WarningListener } from '../../model/warning.ts';

/** Passes on the first warning of each code; later ones of the same code are dropped. One per component. */
export function warnOnce(listener: WarningListener | undefined): WarningListener {
  const heard = new Set<WarningCode>();
  return (warning) => {
    if (heard.has(warning.code)) return;
    heard.add(warning.code);
    listener?.(warning);
  };
}
