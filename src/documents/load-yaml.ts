import { inTurns } from '../text/turns.ts';
import { parseQuickly, type Yaml, type YamlOptions } from './quick-yaml.ts';

/** The same as `parseYaml` in turns, but that the parser of all YAML is loaded only for a text that needs it. */
export async function loadYaml(text: string, file: string, options?: YamlOptions): Promise<Yaml> {
  const quick = await inTurns(parseQuickly(text, file, options));
  return quick ?? (await inTurns((await import('./yaml.ts')).readWholeYaml(text, file)));
}
