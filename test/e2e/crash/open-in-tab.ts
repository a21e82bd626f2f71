import type { Page } from 'playwright';

/** Opens a database in a tab. Returns 'opened' or the code of the error. */
export function openDatabase(tab: Page, name: string, blockedTimeoutMs = 20_000): Promise<string> {
  return tab.evaluate(
    async ([databaseName, timeout]) => {
      window.tab.warnings = [];
      window.tab.halt = false;
      window.tab.database?.close();
      try {
        window.tab.database = await window.tab.openDatabase({
          name: databaseName,
          blockedTimeoutMs: timeout,
          onWarning: (warning) => window.tab.warnings.push(warning.code),
        });
        return 'opened';
      } catch (error) {
        return (error as { code: string }).code;
      }
    },
    [name, blockedTimeoutMs] as const,
  );
}
