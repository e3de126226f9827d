print("packhouse")
