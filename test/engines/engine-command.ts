import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHROMIUM_FLAGS, type Engine } from '../../scripts/engines.ts';

/** How a browser is started. */
export interface EngineCommand {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Flags of Xvfb: it chooses a free display and writes its number to file descriptor 3. */
export const DISPLAY_FLAGS: readonly string[] = [
  ...['-displayfd', '3'],
  ...['-screen', '0', '1280x800x24'],
  ...['-nolisten', 'tcp'],
];

/** Preferences of Firefox. */
export type FirefoxPreferences = readonly (readonly [name: string, value: string | number | boolean])[];

export interface EngineSettings {
  /** Folder of everything that the browser stores. */
  readonly profile: string;
  /** X display for the browser that has no headless mode. */
  readonly display: string;
  /** Preferences of Firefox, besides those of every start. */
  readonly preferences: FirefoxPreferences;
}

/**
 * Returns how to start a browser that stores everything in one folder, shows no page, dialog or request of its own, and
 * opens each address in a window.
 */
export async function engineCommand(
  engine: Engine,
  { profile, display, preferences }: EngineSettings,
): Promise<EngineCommand> {
  switch (engine) {
    case 'chromium':
      return {
        flags: ['--headless', ...CHROMIUM_FLAGS, '--disable-popup-blocking', `--user-data-dir=${profile}`],
        env: {},
      };
    case 'firefox':
      await writeFile(
        join(profile, 'user.js'),
        [...FIREFOX_PREFERENCES, ...preferences].map(preference).join(''),
      );
      return {
        flags: ['-headless', '-no-remote', '-profile', profile],
        env: { HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
      };
    case 'webkit':
      return {
        flags: ['--javascript-can-open-windows-automatically=true'],
        env: {
          DISPLAY: display,
          GDK_BACKEND: 'x11',
          GSETTINGS_BACKEND: 'memory',
          NO_AT_BRIDGE: '1',
          // A bus that it starts by itself outlives it, and keeps its folder in use.
          DBUS_SESSION_BUS_ADDRESS: 'disabled:',
          HOME: profile,
          XDG_DATA_HOME: join(profile, 'data'),
          XDG_CACHE_HOME: join(profile, 'cache'),
          XDG_CONFIG_HOME: join(profile, 'config'),
        },
      };
  }
}

const FIREFOX_PREFERENCES: FirefoxPreferences = [
  ['app.normandy.enabled', false],
  ['app.update.auto', false],
  ['browser.aboutwelcome.enabled', false],
  ['browser.link.open_newwindow', 2],
  ['browser.safebrowsing.malware.enabled', false],
  ['browser.safebrowsing.phishing.enabled', false],
  ['browser.sessionstore.resume_from_crash', false],
  ['browser.shell.checkDefaultBrowser', false],
  ['browser.startup.homepage_override.mstone', 'ignore'],
  ['datareporting.healthreport.uploadEnabled', false],
  ['datareporting.policy.dataSubmissionEnabled', false],
  ['dom.disable_open_during_load', false],
  ['dom.popup_maximum', -1],
  ['extensions.update.enabled', false],
  ['network.captive-portal-service.enabled', false],
  ['network.connectivity-service.enabled', false],
  // The requests in which killed pages waited for commands stay open, and of 6 connections none is left after a while.
  ['network.http.max-persistent-connections-per-server', 100],
  ['services.settings.server', 'data:,'],
  ['toolkit.startup.max_resumed_crashes', -1],
  ['toolkit.telemetry.server', ''],
];

function preference([name, value]: readonly [string, unknown]): string {
  return `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`;
}
