"""How readers look at a report."""

LOOKS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1200, "height": 900}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1200, "height": 900}},
    "phone": {
        "color_scheme": "dark",
        "viewport": {"width": 360, "height": 740},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
}
