// Validation for the forms. The usual validator makes functions of text, which the page's policy forbids. The server
// judges the arguments; here schemas only decide which form of a choice fits a value.

import { Validator, type OutputUnit, type Schema } from "@cfworker/json-schema";
import {
  toErrorSchema,
  type CustomValidator,
  type ErrorTransformer,
  type RJSFSchema,
  type RJSFValidationError,
  type UiSchema,
  type ValidationData,
  type ValidatorType,
} from "@rjsf/utils";


export class SchemaValidator implements ValidatorType<unknown, RJSFSchema> {
  #made = new WeakMap<RJSFSchema, WeakMap<RJSFSchema, Validator>>();

  isValid(schema: RJSFSchema, formData: unknown, rootSchema: RJSFSchema): boolean {
    try {
      return this.#validator(schema, rootSchema).validate(formData).valid;
    } catch {
      // A schema that cannot be read fits nothing.
      return false;
    }
  }

  validateFormData(
    formData: unknown,
    schema: RJSFSchema,
    _customValidate?: CustomValidator<unknown, RJSFSchema>,
    transformErrors?: ErrorTransformer<unknown, RJSFSchema>,
    uiSchema?: UiSchema<unknown, RJSFSchema>,
  ): ValidationData<unknown> {
    const found = (this.rawValidation<OutputUnit>(schema, formData).errors ?? []).map(errorOf);
    const errors = transformErrors ? transformErrors(found, uiSchema) : found;
    return { errors, errorSchema: toErrorSchema<unknown>(errors) };
  }

  rawValidation<Result>(schema: RJSFSchema, formData?: unknown): { errors?: Result[]; validationError?: Error } {
    try {
      return { errors: this.#validator(schema, schema).validate(formData).errors as Result[] };
    } catch (error) {
      return { validationError: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  /** A validator of a schema that may refer to definitions of the root. */
  #validator(schema: RJSFSchema, root: RJSFSchema): Validator {
    const ofRoot = this.#made.get(root) ?? new WeakMap<RJSFSchema, Validator>();
    this.#made.set(root, ofRoot);
    const made = ofRoot.get(schema);
    if (made !== undefined) return made;
    const definitions = { definitions: root.definitions ?? {}, $defs: root.$defs ?? {} };
    const validator = new Validator({ ...definitions, ...schema } as Schema, "2020-12", false);
    ofRoot.set(schema, validator);
    return validator;
  }
}

function errorOf({ keyword, error, instanceLocation, keywordLocation }: OutputUnit): RJSFValidationError {
  const property = instanceLocation.replace(/^#/, "").replace(/\//g, ".");
  return { name: keyword, message: error, property, stack: `${property} ${error}`, schemaPath: keywordLocation };
}
