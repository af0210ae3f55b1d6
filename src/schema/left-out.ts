import SchemaBuilder, {
  BasePlugin,
  type OutputType,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type PothosOutputFieldType,
  type PothosTypeConfig,
  type SchemaTypes,
} from '@pothos/core';

/** What a graph does not have of all that was added to the builder. */
export interface LeftOut {
  /** Object types that others refer to by an interface or a union. */
  readonly types: ReadonlySet<string>;
  /** Such as `Domain.events`. */
  readonly fields: ReadonlySet<string>;
  readonly isValue: (enumType: string, value: string) => boolean;
}

/** Adds the option `leftOut` to `toSchema`. */
class LeftOutPlugin extends BasePlugin<SchemaTypes> {
  override onTypeConfig(config: PothosTypeConfig): PothosTypeConfig {
    const { leftOut } = this.options;
    if (!leftOut) return config;
    switch (config.kind) {
      case 'Enum': {
        const values = Object.entries(config.values ?? {});
        const served = values.filter(([value]) => !leftOut.isValue(config.name, value));
        return { ...config, values: Object.fromEntries(served) };
      }
      case 'Union':
        return { ...config, types: config.types.filter((ref) => !this.#isLeftOutType(ref)) };
      case 'Object':
        if (leftOut.types.has(config.name)) return { ...config, interfaces: [] };
        return config.interfaces.some((ref) => this.#nameOf(ref) === 'UserError')
          ? withoutCodes(config, leftOut)
          : config;
      default:
        return config;
    }
  }

  override onOutputFieldConfig(config: PothosOutputFieldConfig<SchemaTypes>) {
    return this.#isLeftOut(config) || this.#isOfLeftOutType(config.type) ? null : config;
  }

  override onInputFieldConfig(config: PothosInputFieldConfig<SchemaTypes>) {
    // The parent of an argument is the type of its field.
    return config.kind === 'InputObject' && this.#isLeftOut(config) ? null : config;
  }

  #nameOf(ref: OutputType<SchemaTypes>): string {
    return this.builder.configStore.getTypeConfig(ref).name;
  }

  #isOfLeftOutType(type: PothosOutputFieldType<SchemaTypes>): boolean {
    return type.kind === 'List' ? this.#isOfLeftOutType(type.type) : this.#isLeftOutType(type.ref);
  }

  #isLeftOutType(ref: OutputType<SchemaTypes>): boolean {
    return this.options.leftOut?.types.has(this.#nameOf(ref)) ?? false;
  }

  #isLeftOut({ parentType, name }: { readonly parentType: string; readonly name: string }) {
    return this.options.leftOut?.fields.has(`${parentType}.${name}`) ?? false;
  }
}

/** The type of an error. Its description lists codes: those of features follow those of the core. */
const withoutCodes = <Config extends PothosTypeConfig>(config: Config, { isValue }: LeftOut) => ({
  ...config,
  description: config.description?.replaceAll(/, `(\w+)`/g, (text, code: string) =>
    isValue('ErrorCode', code) ? '' : text,
  ),
});

const pluginName = 'leftOut';
SchemaBuilder.registerPlugin(pluginName, LeftOutPlugin);

export { pluginName as leftOutPlugin };

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      leftOut: LeftOutPlugin;
    }

    interface BuildSchemaOptions<Types extends SchemaTypes> {
      leftOut?: LeftOut;
    }
  }
}
