print("fenceline")
