import type { z } from 'zod';
import { ConfigError } from '../platform/config/config-error.js';
import type { Extension } from './extension.js';

/** The settings of extensions, each as its schema reads them. */
export class ExtensionSettings {
  private constructor(private readonly values: ReadonlyMap<object, unknown>) {}

  /**
   * Variables of `EXT_<NAME>_`: `EXT_LOYALTY_RATE` arrives as `rate`. An empty one is not set.
   * @throws ConfigError that names each variable that is wrong, and never shows its value
   */
  static read(extensions: readonly Extension[], variables: NodeJS.ProcessEnv): ExtensionSettings {
    const values = new Map<object, unknown>();
    const wrong: string[] = [];
    for (const { name, settings } of extensions) {
      const prefix = `EXT_${name.toUpperCase()}_`;
      const given = Object.entries(variables).flatMap(([variable, value]) =>
        variable.startsWith(prefix) && value ? [[variable.slice(prefix.length), value]] : [],
      );
      if (!settings) {
        wrong.push(...given.map(([key]) => `${prefix}${key}: ${name} has no settings`));
        continue;
      }
      const read = Object.fromEntries(given.map(([key = '', value]) => [key.toLowerCase(), value]));
      const { data, error } = settings.safeParse(read);
      const issues = error?.issues ?? [];
      wrong.push(
        ...issues.map(({ path, message }) => {
          const key = path.map(String).join('_').toUpperCase();
          return `${prefix}${key || '*'}: ${message}`;
        }),
      );
      values.set(settings, data);
    }
    if (wrong.length > 0) throw new ConfigError(wrong.join('\n'));
    return new ExtensionSettings(values);
  }

  /** @throws Error for a schema that no extension has as its `settings` */
  of<Settings extends z.ZodType>(schema: Settings): z.output<Settings> {
    if (!this.values.has(schema)) throw new Error('no extension has this schema as its settings');
    return this.values.get(schema) as z.output<Settings>;
  }
}
