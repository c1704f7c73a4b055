// The parts of a form whose look is ours: words on the buttons instead of icons, classes instead of styles.

import {
  ADDITIONAL_PROPERTY_FLAG,
  buttonId,
  getTemplate,
  getUiOptions,
  type ArrayFieldItemTemplateProps,
  type DescriptionFieldProps,
  type IconButtonProps,
  type RJSFSchema,
  type TemplatesType,
  type WrapIfAdditionalTemplateProps,
} from "@rjsf/utils";


function button(text: string) {
  return function FormButton({ id, className, disabled, onClick, title }: IconButtonProps<unknown, RJSFSchema>) {
    return (
      <button type="button" id={id} className={`small ${className ?? ""}`} disabled={disabled} onClick={onClick}>
        {text}
        {title !== undefined && title !== text && <span className="visually-hidden"> {title}</span>}
      </button>
    );
  };
}

function Description({ id, description }: DescriptionFieldProps<unknown, RJSFSchema>) {
  return description ? (
    <p id={id} className="field-description">
      {description}
    </p>
  ) : null;
}

function ArrayItem(props: ArrayFieldItemTemplateProps<unknown, RJSFSchema>) {
  const { children, buttonsProps, hasToolbar, index, registry, uiSchema } = props;
  const options = getUiOptions<unknown, RJSFSchema>(uiSchema);
  const Buttons = getTemplate<"ArrayFieldItemButtonsTemplate", unknown, RJSFSchema>(
    "ArrayFieldItemButtonsTemplate",
    registry,
    options,
  );
  return (
    <div className="array-item" role="group" aria-label={`Item ${index + 1}`}>
      <div className="array-item-value">{children}</div>
      {hasToolbar && (
        <div className="array-item-buttons">
          <Buttons {...buttonsProps} />
        </div>
      )}
    </div>
  );
}

function WrapIfAdditional(props: WrapIfAdditionalTemplateProps<unknown, RJSFSchema>) {
  const { id, label, schema, children, disabled, readonly, onKeyRenameBlur, onRemoveProperty, registry } = props;
  const className = ["form-group", props.classNames].filter(Boolean).join(" ");
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return <div className={className}>{children}</div>;
  const { RemoveButton } = registry.templates.ButtonTemplates;
  return (
    <div className={`${className} additional`}>
      <label>
        Name
        <input type="text" id={`${id}-key`} defaultValue={label} onBlur={onKeyRenameBlur} />
      </label>
      <div>{children}</div>
      <RemoveButton
        id={buttonId(id, "remove")}
        disabled={disabled === true || readonly === true}
        onClick={onRemoveProperty}
        registry={registry}
      />
    </div>
  );
}

export const templates: Partial<Omit<TemplatesType<unknown, RJSFSchema>, "ButtonTemplates">> & {
  ButtonTemplates: Partial<TemplatesType<unknown, RJSFSchema>["ButtonTemplates"]>;
} = {
  ArrayFieldItemTemplate: ArrayItem,
  DescriptionFieldTemplate: Description,
  WrapIfAdditionalTemplate: WrapIfAdditional,
  ButtonTemplates: {
    AddButton: button("Add"),
    ClearButton: button("Clear"),
    CopyButton: button("Copy"),
    MoveDownButton: button("Down"),
    MoveUpButton: button("Up"),
    RemoveButton: button("Remove"),
  },
};
